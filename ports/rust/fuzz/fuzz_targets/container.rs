#![no_main]
//! Containers, as they come and with their checksums made right.

use bloomery::container::{self, ContainerView, Extras};
use bloomery::Code;
use bloomery_conform::repair;
use libfuzzer_sys::fuzz_target;

fn read(file: &[u8]) {
    let read = container::read(file);
    let view = ContainerView::open(file);
    if let (Ok(read), Ok(view)) = (&read, &view) {
        assert_eq!(read.damaged_chunks(), view.damaged_chunks());
    }
    match read {
        Ok(read) => {
            let damaged = read.damaged_chunks() > 0;
            let extras = Extras {
                asked_fpr: read.header().asked_fpr,
                keys: read.header().keys,
                sentinels: read.sentinels().to_vec(),
                notes: read.notes().to_vec(),
            };
            if let Ok(f) = read.into_filter() {
                let view = view.expect("what is read can be looked at");
                for key in ["k0", "k1", "x", ""] {
                    assert_eq!(f.may_contain(key), view.may_contain(key));
                }
                let again = f.to_container(&extras);
                assert_eq!(again.is_err(), damaged || !ascending(&extras));
            }
        }
        Err(e) => assert!(e.offset().is_some() || e.code() == Code::InvalidArgument),
    }
}

fn ascending(extras: &Extras) -> bool {
    extras.sentinels.windows(2).all(|w| w[0] < w[1])
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let mut repaired = bytes.to_vec();
    repair::container(&mut repaired);
    read(&repaired);
});
