"""Downloads the packages from whose public code the table is trained, and lists those with a permissive licence.

    python3 packages.py WORK [packages.txt]

Without a list, the newest version of each package of `wanted.toml` is downloaded, with everything that its
crates depend on, and `packages.txt` is written: registry, name, version, licence. With a list, exactly these
versions are, except of crates that only others depend on: those of the list have the versions that fit today, because
one of an old version would fit no new one. `WORK/sources` has a folder for each package of the list.
"""

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
DOWNLOADS_AT_ONCE = 4

PERMISSIVE = re.compile(
    r"\b(MIT|Apache|BSD|ISC|Zlib|Unlicense|CC0|Unicode|BlueOak|PSF|Python Software Foundation|0BSD|HPND)\b", re.I
)
OTHER = re.compile(r"GPL|MPL|Mozilla|Lesser|EPL|CDDL|SSPL|BUSL|Elastic|CC-BY-|Proprietary|Commercial", re.I)


def is_permissive(licence):
    """Returns whether one alternative of a licence expression has permissive parts only."""
    alternatives = re.split(r"\s+OR\s+|/", licence) if not re.search(r"\bAND\b|\(", licence) else [licence]
    return any(PERMISSIVE.search(one) and not OTHER.search(one) for one in alternatives)


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True).stdout


def unpack(archive, folder):
    folder.mkdir(parents=True, exist_ok=True)
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")


def licence_of_python(metadata):
    header = metadata.split("\n\n")[0]
    exact = re.findall(r"^(?:License-Expression:|Classifier: License ::)\s*(.*)$", header, re.M)
    return " AND ".join(exact) or " ".join(re.findall(r"^License:\s*(.{1,80})$", header, re.M))


def python_package(work, name, version):
    folder = work / "downloads" / f"pypi-{name}"
    wanted = f"{name}=={version}" if version else name
    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", folder, wanted)
    archive = next(folder.iterdir())
    unpack(archive, folder / "unpacked")
    metadata = next((folder / "unpacked").glob("*.dist-info/METADATA")).read_text(errors="ignore")
    found = re.search(r"^Version: (.*)$", metadata, re.M)[1]
    return ("pypi", name, found, licence_of_python(metadata), folder / "unpacked")


def node_package(work, name, version):
    folder = work / "downloads" / f"npm-{name.replace('/', '+')}"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = f"{name}@{version}" if version else name
    run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder, wanted)
    unpack(next(folder.glob("*.tgz")), folder / "unpacked")
    manifest = json.loads(next((folder / "unpacked").glob("*/package.json")).read_text())
    licence = manifest.get("license") or ""
    licence = licence if isinstance(licence, str) else licence.get("type", "")
    return ("npm", name, manifest["version"], licence, folder / "unpacked")


def crates(work, names):
    """Returns all crates of a manifest that depends on `names`, one version of each."""
    folder = work / "downloads" / "crates"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src" / "lib.rs").write_text("")
    manifest = ['[package]\nname = "all"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]']
    manifest += [f'{name} = "{"=" + version if version else "*"}"' for name, version in names]
    (folder / "Cargo.toml").write_text("\n".join(manifest))
    run("cargo", "vendor", "--quiet", "--versioned-dirs", cwd=folder)
    found = {}
    for crate in sorted((folder / "vendor").iterdir()):
        package = tomllib.loads((crate / "Cargo.toml").read_text(errors="ignore"))["package"]
        found[package["name"]] = ("crates", package["name"], package["version"], package.get("license", ""), crate)
    return list(found.values())


def is_excluded(name, excluded):
    return any(re.fullmatch(pattern, name) for pattern in excluded)


def main():
    work = Path(sys.argv[1]).absolute()
    wanted = tomllib.loads((HERE / "wanted.toml").read_text())
    if len(sys.argv) > 2:
        listed = [line.split("\t") for line in Path(sys.argv[2]).read_text().splitlines()]
        listed_names = {(registry, name) for registry, name, _, _ in listed}
        pinned = [one for one in listed if one[0] != "crates" or one[1] in wanted["crates"]]
        names = {of: [(name, version) for registry, name, version, _ in pinned if registry == of] for of in ("pypi", "npm", "crates")}
    else:
        listed_names = None
        names = {of: [(name, "") for name in wanted[of]] for of in ("pypi", "npm", "crates")}
    found = []

    def attempt(package):
        make, name, version = package
        try:
            return make(work, name, version)
        except (subprocess.CalledProcessError, StopIteration, OSError, TypeError) as error:
            print(f"{name}: left out: {str(getattr(error, 'stderr', error))[-200:]}", flush=True)
            return None

    jobs = [(python_package, *one) for one in names["pypi"]] + [(node_package, *one) for one in names["npm"]]
    with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool:
        found += [package for package in pool.map(attempt, jobs) if package]
    found += crates(work, names["crates"])
    kept = [one for one in found if is_permissive(one[3]) and not is_excluded(one[1], wanted["excluded"])]
    if listed_names is not None:
        kept = [one for one in kept if one[:2] in listed_names]
    sources = work / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir()
    for registry, name, version, _, folder in kept:
        (sources / f"{registry}+{name.replace('/', '+')}-{version}").symlink_to(folder)
    lines = sorted("\t".join((registry, name, version, " ".join(licence.split()))) for registry, name, version, licence, _ in kept)
    if len(sys.argv) <= 2:
        (HERE / "packages.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(kept)} packages of {len(found)}")


main()
