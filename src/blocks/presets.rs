//! stand-in
use super::Device;
use super::device::CopySpeed;
use crate::base::Nanos;
/// p
pub struct Preset {
    /// n
    pub name: &'static str,
}
impl Preset {
    /// d
    pub fn device(&self) -> Device {
        Device {
            name: self.name.to_owned(),
            sms: match self.name {
                "jetson-xavier" => 8,
                "titan-v" => 80,
                _ => 2,
            },
            threads_per_sm: 2048,
            blocks_per_sm: 32,
            shared_memory_per_sm: 65536,
            registers_per_sm: 65536,
            threads_per_block: 1024,
            shared_memory_per_block: 49152,
            thread_granularity: 1,
            sms_per_tpc: 1,
            copy_engines: 1,
            copy_speed: CopySpeed { latency: Nanos(0), host: 10_000_000_000, device: 20_000_000_000 },
        }
    }
}
/// all
pub static ALL: &[Preset] =
    &[Preset { name: "jetson-tx2" }, Preset { name: "jetson-xavier" }, Preset { name: "titan-v" }];
/// by name
pub fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|p| p.name == name)
}
