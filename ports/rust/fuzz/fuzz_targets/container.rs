#![no_main]
//! Containers, as they come and with their checksums made right.

use bloomery::container::{self, ContainerView, Extras, ReadOptions};
use bloomery::{Code, Key};
use bloomery_conform::repair;
use libfuzzer_sys::fuzz_target;

fn read(file: &[u8]) {
    let options = ReadOptions::new().any_source();
    let read = container::read_with(file, &options);
    let view = ContainerView::open_with(file, &options);
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
                for key in [0, 1, 0x9e37_79b9_7f4a_7c15, u64::MAX].map(Key::from_raw) {
                    assert_eq!(f.may_contain_key(key), view.may_contain_key(key));
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
