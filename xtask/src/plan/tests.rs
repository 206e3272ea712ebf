//! The plan for each kind of machine.

use super::*;
use crate::python::Python;

fn compiler(program: &str, wasm_std: WasmStd) -> Compiler {
    let version = format!("{program}\nrelease: 1.96.0\nhost: x86_64-unknown-linux-gnu");
    Compiler { program: program.into(), version, sysroot: "/sysroot".into(), wasm_std }
}

/// An ordinary developer's machine on which everything is there.
fn complete() -> Facts {
    Facts {
        needs: Need::ALL.to_vec(),
        active: compiler("rustc", WasmStd::Shipped),
        system: None,
        linker: Some("/bin/rust-lld".into()),
        rustup: Way::Open,
        trunk_downloads: Way::Open,
        apt: Apt::AsRoot,
        rustfmt: Tool::Here,
        clippy: Tool::Here,
        system_clippy: Tool::Missing,
        trunk: Tool::Here,
        bindgen_version: "0.2.126".to_owned(),
        bindgen: Tool::Here,
        wasm_opt: Tool::Missing,
        copying_wasm_opt: Tool::Missing,
        wasm_opt_installs: Way::Open,
        chromium: Some("/usr/bin/chromium".into()),
        chromedriver: Some("/usr/bin/chromedriver".into()),
        firefox: Some("/usr/bin/firefox-esr".into()),
        geckodriver: Some("/cache/geckodriver".into()),
        firefox_installs: Way::Open,
        axe: Some("/cache/axe.min.js".into()),
        axe_installs: Way::Open,
        python: Some(Python { program: "/usr/bin/python3".into(), version: "3.11.2".to_owned() }),
        wheel_tools: Tool::Here,
        python_tests: Tool::Here,
        python_installs: Way::Open,
    }
}

/// A machine whose rustup cannot download, before anything was installed.
fn closed() -> Facts {
    Facts {
        active: compiler("rustc", WasmStd::Absent),
        rustup: Way::Closed,
        trunk: Tool::Missing,
        bindgen: Tool::Missing,
        chromium: None,
        chromedriver: None,
        ..complete()
    }
}

fn bindgen() -> Step {
    Step::Bindgen("0.2.126".to_owned())
}

#[test]
fn nothing_is_done_twice() {
    assert_eq!(plan(&complete()), []);
}

#[test]
fn the_ordinary_way_comes_first_and_alone() {
    assert_eq!(plan(&Facts { rustup: Way::Open, ..closed() }), [Step::AddTarget]);
}

#[test]
fn an_ordinary_page_needs_only_trunk() {
    let needs = vec![Need::Page];
    let facts = Facts { trunk: Tool::Missing, bindgen: Tool::Missing, chromium: None, needs, ..complete() };
    assert_eq!(plan(&facts), [Step::Trunk]);
}

#[test]
fn an_ordinary_test_run_needs_the_test_runner_too() {
    let facts = Facts { trunk: Tool::Missing, bindgen: Tool::Missing, ..complete() };
    assert_eq!(plan(&facts), [Step::Trunk, bindgen()]);
}

#[test]
fn trunk_downloads_that_do_not_work_are_replaced() {
    let facts = Facts { trunk_downloads: Way::Closed, bindgen: Tool::Missing, ..complete() };
    assert_eq!(plan(&facts), [bindgen(), Step::WasmOpt]);
}

#[test]
fn a_page_to_work_on_needs_nothing_that_makes_it_smaller() {
    let needs = vec![Need::Draft];
    let facts = Facts { trunk_downloads: Way::Closed, bindgen: Tool::Missing, needs, ..complete() };
    assert_eq!(plan(&facts), [bindgen()]);
    let bindgen = Tool::Here;
    assert_eq!(plan(&Facts { bindgen, ..facts }), []);
}

#[test]
fn downloads_are_tried_where_something_is_left_to_them() {
    assert!(complete().relies_on_downloads(), "wasm-opt");
    let none = Facts { wasm_opt: Tool::Here, ..complete() };
    assert!(!none.relies_on_downloads());
    assert!(!Facts { trunk_downloads: Way::Closed, ..complete() }.relies_on_downloads());
    let draft = Facts { needs: vec![Need::Draft], ..complete() };
    assert!(!draft.relies_on_downloads());
    assert!(Facts { bindgen: Tool::Missing, ..draft }.relies_on_downloads());
    assert!(!Facts { needs: vec![Need::Lint], bindgen: Tool::Missing, ..none }.relies_on_downloads());
}

#[test]
fn a_closed_debian_gets_all_packages_at_once() {
    let packages =
        ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy", "chromium", "chromium-driver"];
    assert_eq!(plan(&closed()), [Step::Apt(packages.into()), Step::Trunk, bindgen(), Step::WasmOpt]);
}

#[test]
fn a_second_compiler_with_source_is_given_a_library_and_clippy() {
    let system = Some(compiler("/usr/bin/rustc", WasmStd::Source));
    let needs = vec![Need::Lint];
    let build = Step::BuildStd("/usr/bin/rustc".into());
    let facts = Facts { system, needs, ..closed() };
    assert_eq!(plan(&facts), [Step::Apt(vec!["rust-web-clippy"]), build.clone()]);
    assert_eq!(plan(&Facts { system_clippy: Tool::Here, ..facts }), [build]);
}

#[test]
fn a_built_library_is_used() {
    let system = compiler("/usr/bin/rustc", WasmStd::Built);
    let facts = Facts { system: Some(system.clone()), needs: vec![Need::Page], ..closed() };
    let linker = Path::new("/bin/rust-lld");
    assert_eq!(wasm_compiler(&facts), Ok(WasmCompiler::Own { compiler: &system, linker }));
    let missing = Facts { linker: None, trunk: Tool::Here, bindgen: Tool::Here, ..facts };
    assert_eq!(plan(&missing), [Step::Apt(vec!["lld"]), Step::WasmOpt]);
}

#[test]
fn the_active_compiler_with_source_needs_no_second_one() {
    let facts =
        Facts { active: compiler("rustc", WasmStd::Source), needs: vec![Need::WasmTests], ..closed() };
    assert_eq!(plan(&facts), [Step::BuildStd("rustc".into()), bindgen()]);
}

#[test]
fn who_is_not_root_is_told_the_command() {
    let facts = Facts { apt: Apt::ByHand, ..closed() };
    let Some(Step::Ask(todo)) = plan(&facts).into_iter().next() else { unreachable!("asks first") };
    assert!(todo.contains("sudo apt-get install --no-install-recommends rustc-web cargo-web"), "{todo}");
    let Some(Step::Ask(todo)) = plan(&Facts { apt: Apt::Absent, ..facts }).into_iter().next() else {
        unreachable!("asks first")
    };
    assert!(todo.contains("wasm32-unknown-unknown") && todo.contains("ChromeDriver"), "{todo}");
}

#[test]
fn without_node_a_stand_in_copies() {
    for wasm_opt_installs in [Way::Absent, Way::Closed] {
        let facts = Facts { wasm_opt_installs, trunk_downloads: Way::Closed, ..complete() };
        assert_eq!(plan(&facts), [Step::CopyingWasmOpt]);
        assert_eq!(plan(&Facts { copying_wasm_opt: Tool::Here, ..facts.clone() }), []);
        let later = Facts { copying_wasm_opt: Tool::Here, wasm_opt_installs: Way::Open, ..facts };
        assert_eq!(plan(&later), [Step::WasmOpt]);
    }
}

#[test]
fn a_second_browser_is_set_up_where_it_can_be() {
    let none = Facts { firefox: None, geckodriver: None, ..complete() };
    assert_eq!(plan(&none), [Step::Firefox, Step::Geckodriver]);
    assert_eq!(plan(&Facts { firefox: complete().firefox, ..none.clone() }), [Step::Geckodriver]);
    for (apt, firefox_installs) in
        [(Apt::ByHand, Way::Open), (Apt::Absent, Way::Open), (Apt::AsRoot, Way::Closed)]
    {
        let without = Facts { apt, firefox_installs, ..none.clone() };
        assert_eq!(plan(&without), [], "{apt:?} {firefox_installs:?}");
        assert!(without.firefox().is_err());
    }
    assert_eq!(plan(&Facts { needs: vec![Need::Browser], ..none }), []);
    assert!(complete().firefox().is_ok());
}

#[test]
fn axe_is_installed_where_there_is_npm() {
    let none = Facts { axe: None, ..complete() };
    assert_eq!(plan(&none), [Step::Axe]);
    for axe_installs in [Way::Absent, Way::Closed] {
        assert_eq!(plan(&Facts { axe_installs, ..none.clone() }), []);
    }
}

#[test]
fn missing_components_are_added() {
    let facts = Facts { rustfmt: Tool::Missing, clippy: Tool::Missing, ..complete() };
    assert_eq!(plan(&facts), [Step::Components(vec!["rustfmt", "clippy"])]);
    let only_format = Facts { needs: vec![Need::Format], rustup: Way::Absent, ..facts };
    assert!(matches!(plan(&only_format).as_slice(), [Step::Ask(_)]));
}

#[test]
fn native_checks_need_nothing() {
    assert_eq!(plan(&Facts { needs: vec![], ..closed() }), []);
}

#[test]
fn python_gets_what_it_is_needed_for() {
    let (build, test) = (Step::Python(Environment::Build), Step::Python(Environment::Test));
    let bare = || Facts { wheel_tools: Tool::Missing, python_tests: Tool::Missing, ..complete() };
    assert_eq!(plan(&bare()), [build.clone(), test.clone()]);
    let wheel = Facts { needs: vec![Need::Wheel], ..bare() };
    assert_eq!(plan(&wheel), [build]);
    assert_eq!(plan(&Facts { needs: vec![Need::Format], ..bare() }), []);
    assert_eq!(plan(&Facts { python: None, python_installs: Way::Absent, ..bare() }), []);
    assert_eq!(plan(&Facts { python_installs: Way::Closed, ..bare() }), []);
    assert_eq!(plan(&Facts { wheel_tools: Tool::Here, ..bare() }), [test]);
}
