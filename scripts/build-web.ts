/** Builds the browser's side into `dist`, and knows whether that is needed. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const marker = join(root, 'dist', '.built')

/** Everything that can change what the browser gets. */
const sources = [
  'src/{app,ui,domain}/**/*',
  'src/features/**/*.{tsx,css,client.ts,contract.ts,codes.ts,schemas.ts,labels.ts,rules.ts}',
  'src/contract/**/*.ts',
  'translations/*.json',
  'vite.config.ts',
  '*.html',
  'package.json',
  'package-lock.json',
]

/** Builds where the sources differ from those of the last build. Throws a sentence when the build fails. */
export async function buildWebIfChanged(log: (line: string) => void = console.log): Promise<void> {
  const hash = hashOfSources()
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return
  log('Building the screens …')
  await buildWeb(hash)
}

export async function buildWeb(hash = hashOfSources()): Promise<void> {
  rmSync(marker, { force: true })
  // In a process of its own, so that the bundler's memory is given back before the server starts.
  const vite = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    // The same sources are the same build, on whatever machine.
    env: { ...process.env, PAKHUS_BUILD: hash.slice(0, 12) },
  })
  const code = await new Promise((settle, fail) => vite.once('exit', settle).once('error', fail))
  if (code !== 0) throw new Error('The screens could not be built, see above.')
  writeFileSync(marker, hash)
}

const hashOfSources = () => hashOfFiles(sources)

/** One hash of the names and contents of the files that fit, without tests. */
export function hashOfFiles(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const files = globSync(patterns, { cwd: root, withFileTypes: true, exclude: ['**/*.test.ts', '**/*.test.tsx'] })
  const paths = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name))
  for (const path of paths.sort()) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
