//! Filters through formats for people and for machines, and bytes that are refused.

use bloomery::container::{self, ReadOptions};
use bloomery::{
    AnyKind, BlockBloom, Bloom, FilterOf, Hasher, KeySource, Kind, PartitionedBloom, PortableBloom,
    Profile, SplitBlockBloom,
};
use bloomery_serde::Stored;

fn keys() -> Vec<String> {
    (0..200).map(|i| format!("k{i}")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The same filter comes back, and what is between is the container.
fn round<K>(filter: FilterOf<K>)
where
    K: Kind + TryFrom<AnyKind, Error = AnyKind>,
{
    let file = filter.to_container(&filter.extras()).unwrap();
    let stored = Stored(filter);
    let json = serde_json::to_string(&stored).unwrap();
    assert_eq!(json, format!("\"{}\"", hex(&file)));
    let wire = bincode::serialize(&stored).unwrap();
    assert_eq!(wire[..8], (file.len() as u64).to_le_bytes());
    assert_eq!(wire[8..], file);
    let numbers = serde_json::to_string(&file).unwrap();
    for json in [json, numbers] {
        assert_eq!(serde_json::from_str::<Stored<K>>(&json).unwrap(), stored);
    }
    let again: Stored<K> = bincode::deserialize(&wire).unwrap();
    assert_eq!(again, stored);
    assert_eq!(again.asked_fpr(), 0.01);
    assert!(keys().iter().all(|k| again.may_contain(k)));
}

#[test]
fn every_kind_comes_back() {
    round(PortableBloom::from_keys(keys(), 0.01).unwrap());
    round(BlockBloom::from_keys(keys(), 0.01).unwrap());
    round(SplitBlockBloom::from_keys(keys(), 0.01).unwrap());
    round(Bloom::from_keys(keys(), 0.01).unwrap());
    round(PartitionedBloom::from_keys(keys(), 0.01).unwrap());
}

fn refusal(json: &str) -> String {
    serde_json::from_str::<Stored<bloomery::Block>>(json)
        .unwrap_err()
        .to_string()
}

#[test]
fn wrong_bytes_are_refused_with_the_reason() {
    let f = BlockBloom::from_keys(keys(), 0.01).unwrap();
    let file = f.to_container(&f.extras()).unwrap();
    let short = refusal(&format!("\"{}\"", hex(&file[..file.len() - 1])));
    assert!(short.contains("byte"), "{short}");
    let mut header = file.clone();
    header[30] ^= 1;
    let wrong = refusal(&format!("\"{}\"", hex(&header)));
    assert!(wrong.contains("at byte 124"), "{wrong}");
    let other = Bloom::from_keys(keys(), 0.01).unwrap();
    let other = other.to_container(&other.extras()).unwrap();
    let kind = refusal(&format!("\"{}\"", hex(&other)));
    assert!(kind.contains("another kind"), "{kind}");
    assert!(refusal("\"abc\"").contains("odd number"));
    assert!(refusal("\"zz\"").contains("at character 0"));
    assert!(refusal("\"é\"").contains("at character 0"));
    assert!(refusal("7").contains("the bytes of a container"));
    assert!(refusal("[1, 2, 300]").contains("300"));
}

#[test]
fn a_damaged_chunk_denies_nothing_and_is_not_sent_on() {
    let f = BlockBloom::from_keys(keys(), 0.01).unwrap();
    let mut file = f.to_container(&f.extras()).unwrap();
    file[200] ^= 0xff;
    let json = format!("\"{}\"", hex(&file));
    let got: Stored<bloomery::Block> = serde_json::from_str(&json).unwrap();
    assert!(keys().iter().all(|k| got.may_contain(k)));
    assert_eq!(got.damaged_chunks(), 1);
    let e = serde_json::to_string(&got).unwrap_err().to_string();
    assert!(e.contains("damaged"), "{e}");
}

#[test]
fn the_record_of_the_keys_is_followed_and_secrets_are_not_sent() {
    let mut ids = BlockBloom::make(100, 0.01).unwrap().of(KeySource::Integers);
    ids.insert_integer(42);
    let sent = bincode::serialize(&Stored(ids)).unwrap();
    let got: Stored<bloomery::Block> = bincode::deserialize(&sent).unwrap();
    assert_eq!(got.hasher().source(), KeySource::Integers);
    assert!(got.may_contain_integer(42));

    let hasher = Hasher::SipHash13 { secret: [7; 16] };
    let f = BlockBloom::make_with(100, 0.01, Profile::Line, hasher).unwrap();
    let sent = bincode::serialize(&Stored(f)).unwrap();
    assert!(!sent.windows(16).any(|w| w == [7; 16]));
    assert!(bincode::deserialize::<Stored<bloomery::Block>>(&sent).is_err());
    // With the secret the same bytes are a container like any other.
    let options = ReadOptions::new().secret([7; 16]);
    assert!(container::read_as_with::<bloomery::Block>(&sent[8..], &options).is_ok());
}
