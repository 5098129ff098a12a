//! Databases in memory, with small tables, for the tests and the benchmark.
#![allow(dead_code)] // each program uses a part

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use slatedb::config::{CompactorOptions, FlushOptions, FlushType, Settings};
use slatedb::db_cache::{CachedEntry, CachedKey, DbCache};
use slatedb::db_stats::{
    FILTER_KIND_LABEL, FILTER_KIND_POINT, SST_FILTER_FALSE_POSITIVE_COUNT,
    SST_FILTER_NEGATIVE_COUNT,
};
use slatedb::object_store::ObjectStore;
use slatedb::{Db, Error, FilterPolicy};
use slatedb_common::metrics::{DefaultMetricsRecorder, MetricValue};

pub type Policies = Vec<Arc<dyn FilterPolicy>>;

/// A cache that forgets nothing: filters are decoded once.
#[derive(Default)]
pub struct Cache(Mutex<HashMap<CachedKey, CachedEntry>>);

impl Cache {
    fn get(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }
}

#[async_trait]
impl DbCache for Cache {
    async fn get_block(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        self.get(key)
    }
    async fn get_index(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        self.get(key)
    }
    async fn get_filter(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        self.get(key)
    }
    async fn get_stats(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        self.get(key)
    }
    async fn insert(&self, key: CachedKey, value: CachedEntry) {
        self.0.lock().unwrap().insert(key, value);
    }
    async fn remove(&self, key: &CachedKey) {
        self.0.lock().unwrap().remove(key);
    }
    fn entry_count(&self) -> u64 {
        self.0.lock().unwrap().len() as u64
    }
}

/// An open database and its counters.
pub struct Opened {
    pub db: Db,
    recorder: Arc<DefaultMetricsRecorder>,
}

impl Opened {
    fn counter(&self, name: &str) -> u64 {
        let labels = [(FILTER_KIND_LABEL, FILTER_KIND_POINT)];
        match self
            .recorder
            .snapshot()
            .by_name_and_labels(name, &labels)
            .map(|m| m.value.clone())
        {
            Some(MetricValue::Counter(n)) => n,
            _ => panic!("no counter {name}"),
        }
    }

    /// Lookups of keys that filters answered with "definitely not present".
    pub fn negatives(&self) -> u64 {
        self.counter(SST_FILTER_NEGATIVE_COUNT)
    }

    /// Lookups that filters let pass to tables without the key.
    pub fn false_positives(&self) -> u64 {
        self.counter(SST_FILTER_FALSE_POSITIVE_COUNT)
    }

    /// Writes what is in memory as a table.
    pub async fn flush(&self) {
        let options = FlushOptions {
            flush_type: FlushType::MemTable,
        };
        self.db.flush_with_options(options).await.unwrap();
    }

    /// Keys from..to with values of 100 bytes, as one table.
    pub async fn load(&self, from: u64, to: u64) {
        for i in from..to {
            let value: Vec<u8> = (0..100).map(|j| mix(i * 100 + j) as u8).collect();
            self.db.put(key(i), value).await.unwrap();
        }
        self.flush().await;
    }
}

/// Opens the database of a store. Compaction, if there is to be any, merges whatever there is, at once.
pub async fn open(store: &Arc<dyn ObjectStore>, policies: Policies, compact: bool) -> Opened {
    open_with_cache(store, policies, compact, Arc::new(Cache::default())).await
}

pub async fn open_with_cache(
    store: &Arc<dyn ObjectStore>,
    policies: Policies,
    compact: bool,
    cache: Arc<dyn DbCache>,
) -> Opened {
    let soon = Duration::from_millis(5);
    let scheduler = [
        ("min_compaction_sources", "2"),
        ("max_compaction_sources", "4"),
    ];
    let compactor = CompactorOptions {
        poll_interval: soon,
        commit_compacted_interval: soon,
        scheduler_options: scheduler.map(|(k, v)| (k.into(), v.into())).into(),
        ..CompactorOptions::default()
    };
    let settings = Settings {
        min_filter_keys: 0,
        manifest_poll_interval: Duration::from_millis(20),
        flush_interval: Some(Duration::from_millis(50)),
        l0_sst_size_bytes: if compact { 64 << 10 } else { 64 << 20 },
        l0_max_ssts: 64,
        compactor_options: compact.then_some(compactor),
        garbage_collector_options: None,
        ..Settings::default()
    };
    let recorder = Arc::new(DefaultMetricsRecorder::new());
    let db = Db::builder("db", store.clone())
        .with_settings(settings)
        .with_filter_policies(policies)
        .with_db_cache(cache, 0)
        .with_metrics_recorder(recorder.clone())
        .build()
        .await
        .unwrap();
    Opened { db, recorder }
}

/// SplitMix64.
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The i-th key, of several lengths.
pub fn key(i: u64) -> Vec<u8> {
    let mut key = mix(i).to_be_bytes().to_vec();
    key.resize(8 + (i % 17) as usize, 0);
    key
}

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = mix(self.0);
        self.0 % n
    }
    pub fn bytes(&mut self, n: u64) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }
}

/// Whether tests take the sizes of make test-full.
pub fn full() -> bool {
    std::env::var("BLOOMERY_TEST_FULL").is_ok_and(|v| v == "1")
}
