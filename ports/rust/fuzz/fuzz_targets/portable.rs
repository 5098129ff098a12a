#![no_main]
//! The bare portable file, by slice and by stream.

use bloomery::PortableBloom;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let decoded = PortableBloom::decode(bytes);
    assert_eq!(decoded, PortableBloom::read_from(&mut &bytes[..]));
    if let Ok(mut f) = decoded {
        assert_eq!(f.encode().unwrap(), bytes);
        let mut out = [false; 3];
        let keys = ["a", "", "another"];
        f.may_contain_batch(&keys, &mut out);
        for (key, out) in keys.iter().zip(out) {
            assert_eq!(f.may_contain(key), out);
        }
        if f.bits() < 3000 {
            let rate = f.realised_fpr();
            assert!((0.0..=1.0).contains(&rate));
        }
        f.insert("a");
        assert!(f.may_contain("a"));
    }
});
