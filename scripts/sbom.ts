/**
 * `npm run sbom`: writes `build/sbom.cdx.json`, the packages that the product runs with, as CycloneDX. npm reads them from node_modules and asks
 * no registry.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserPackages, lockFile, packagesOf } from './packages.ts'

const root = join(import.meta.dirname, '..')

interface Component {
  'bom-ref': string
  name: string
  version: string
  scope?: string
  properties?: { name: string; value: string }[]
}

interface Sbom {
  bomFormat: string
  specVersion: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** What npm lists of all installed packages, without those that only development needs. */
export function sbom(): Sbom {
  // Within `npm run` it is the very npm that was called.
  const cli = process.env.npm_execpath
  const [program, ...before] = cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm']
  const text = execFileSync(program, [...before, 'sbom', '--sbom-format', 'cyclonedx', '--offline'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32' && program === 'npm',
  })
  const all: Sbom = JSON.parse(text)
  const shipped = shippedPackages()
  const components = all.components
    .filter(({ name, version }) => shipped.has(`${name}@${version}`))
    // npm calls what the screens are built from a part of development; it lies in their files.
    .map(({ properties = [], ...component }) => ({
      ...component,
      scope: 'required',
      properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
    }))
  const own = all.metadata.component
  const kept = new Set([own['bom-ref'], ...components.map(component => component['bom-ref'])])
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(one => kept.has(one)) }))
  // npm takes the name from the folder in which the checkout lies.
  const component = { ...own, type: 'application', name: own['bom-ref'].replace(/@[^@]*$/, '') }
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies }
}

/** `name@version` of each package of the server and of the screens. */
export function shippedPackages(): Set<string> {
  const lock = lockFile()
  const { dependencies, optionalDependencies } = lock.packages[''] ?? {}
  const packages = packagesOf(lock, [...Object.keys({ ...dependencies, ...optionalDependencies }), ...browserPackages()])
  return new Set(
    Object.entries(packages).map(
      ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
    ),
  )
}

if (import.meta.main) {
  const folder = join(root, 'build')
  const written = sbom()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(written, null, 2)}\n`)
  console.log(`${written.components.length} packages stand in ${join(folder, 'sbom.cdx.json')}`)
}
