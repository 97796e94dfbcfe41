/** About: the state of this installation, and the licences of the libraries in use. */
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { implement } from '#platform/http/feature-module.ts'
import { about } from './about.contract.ts'
import { aboutDatabase } from './about.queries.ts'
import { aboutSchemas, Library } from './about.schemas.ts'

const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString()
const root = new URL('../../../../', import.meta.url)

let known: Promise<Library[]> | undefined

export const aboutServer = implement(about, aboutSchemas, {
  async get(_, { services, transaction }) {
    const began = performance.now()
    await services.database.ping()
    const answers_in = Math.round((performance.now() - began) * 10) / 10
    const { version, bytes, migrations, queue } = await transaction(({ db }) => aboutDatabase(db))
    return {
      version: services.config.version,
      build: services.config.build,
      node: process.versions.node,
      started_at: startedAt,
      database: { version, bytes, answers_in },
      migrations,
      queue,
      files: services.config.s3 ? ('bucket' as const) : ('disk' as const),
    }
  },

  async libraries() {
    known ??= installedLibraries()
    return known
  },
})

const Package = z.object({
  name: z.string().catch(''),
  version: z.string().catch(''),
  license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).catch('see its files'),
  homepage: z.string().nullable().catch(null),
  dependencies: z.record(z.string(), z.string()).catch({}),
})

/** The package's installed dependencies, direct and indirect, by name. */
async function installedLibraries(): Promise<Library[]> {
  const { dependencies } = Package.parse(JSON.parse(await readFile(new URL('package.json', root), 'utf8')))
  const found = new Map<string, Library>()
  // Each step resolves as Node does: from the requiring package's folder outwards, the root folder last.
  const steps = Object.keys(dependencies).map(name => ({ name, from: '' }))
  const seen = new Set<string>()
  for (let step = steps.shift(); step; step = steps.shift()) {
    const place = await placeOf(step.name, step.from)
    if (!place || seen.has(place.folder)) continue
    seen.add(place.folder)
    const { name, version, license, homepage, dependencies: next } = place.about
    if (name)
      found.set(`${name}@${version}`, { name, version, licence: license, homepage: homepage?.startsWith('https://') ? homepage : null })
    for (const one of Object.keys(next)) steps.push({ name: one, from: place.folder })
  }
  for (const library of await bundledLibraries()) found.set(`${library.name}@${library.version}`, library)
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version))
}

/** What the build of the browser's side wrote down: its packages are not installed where the product runs. */
async function bundledLibraries(): Promise<Library[]> {
  const text = await readFile(new URL('dist/web/libraries.json', root), 'utf8').catch(() => '[]')
  return z.array(Library).parse(JSON.parse(text))
}

async function placeOf(name: string, from: string): Promise<{ folder: string; about: z.infer<typeof Package> } | null> {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = `${at}/node_modules/${name}`
    try {
      return { folder, about: Package.parse(JSON.parse(await readFile(new URL(`.${folder}/package.json`, root), 'utf8'))) }
    } catch {
      // Not here: an optional library of another platform, or one folder further up.
    }
    if (at === '') return null
  }
}
