/** Which packages of the lock file the product runs with: the production dependencies, and those that the browser's side is built from. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

interface LockedPackage {
  version?: string
  license?: string
  devDependencies?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface LockFile {
  packages: Record<string, LockedPackage>
}

export const lockFile = (): LockFile => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** The entries of the lock file that these packages need, themselves included. Each is found as Node finds it: from the inner folder outwards. */
export function packagesOf({ packages }: LockFile, names: readonly string[]): Record<string, LockedPackage> {
  const found: Record<string, LockedPackage> = {}
  const waiting = names.map(name => ({ name, from: '' }))
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const path = placeOf(packages, step.name, step.from)
    const entry = path && packages[path]
    if (!path || !entry || found[path]) continue
    found[path] = entry
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = entry
    const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta?.[name]?.optional)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) waiting.push({ name, from: path })
    for (const name of peers) waiting.push({ name, from: path })
  }
  return found
}

function placeOf(packages: LockFile['packages'], name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at && `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}

/** The development dependencies that stand in the browser's bundle: those that a source imports which is no test. */
export function browserPackages(): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
  const sources = globSync('src/**/*.{ts,tsx,css}', { cwd: root, exclude: ['**/*.test.ts', '**/*.test.tsx', '**/*.fake.ts'] })
  const texts = sources.map(path => readFileSync(join(root, path), 'utf8').replaceAll(/^import type .*$/gm, ''))
  return Object.keys(devDependencies).filter(name => texts.some(text => text.includes(`'${name}'`) || text.includes(`'${name}/`)))
}
