/** Screens against the calls they make: who may open a screen may make its calls. */
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Access, Permission } from '#contract/access.ts'
import type { Call, Calls } from '#contract/endpoint.ts'
import { areas } from '#features/company/users/permissions.labels.ts'
import { screens } from './screens.ts'

const src = fileURLToPath(new URL('../', import.meta.url))

/** The calls of every contract, by the name of its file and of its export. */
const contracts = new Map<string, Calls>()
for (const path of globSync(['features/**/*.contract.ts', 'contract/{session,my-settings}.ts'], { cwd: src })) {
  const module: Record<string, unknown> = await import(`${src}${path}`)
  for (const [name, value] of Object.entries(module)) if (isCalls(value)) contracts.set(`${path.replaceAll('\\', '/')} ${name}`, value)
}

function isCalls(value: unknown): value is Calls {
  if (typeof value !== 'object' || value === null) return false
  const members: unknown[] = Object.values(value)
  return members.length > 0 && members.every(one => typeof one === 'object' && one !== null && 'line' in one && 'access' in one)
}

/** The file of each built screen. */
const fileOf = (path: string): string => {
  const loader = String(screens.find(screen => screen.path === path)?.screen)
  const name = /\b(\w+Screen)\.tsx/.exec(loader)?.[1]
  const [file = ''] = globSync(`{features,ui}/**/${name}.tsx`, { cwd: src })
  return file.replaceAll('\\', '/')
}

/** The calls that a file reads with; a line with `enabled` decides about its own. */
function readsOf(file: string): Call[] {
  const text = readFileSync(src + file, 'utf8')
  const imported = [...text.matchAll(/import \{([^}]*)\} from '([^']+)'/g)].flatMap(([, names = '', from = '']) =>
    names.split(',').flatMap(name => {
      const path = from.startsWith('#') ? from.slice(1) : posix.join(posix.dirname(file), from)
      const group = contracts.get(`${path} ${name.trim()}`)
      return group ? [{ name: name.trim(), group }] : []
    }),
  )
  return imported.flatMap(({ name, group }) =>
    [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)([^\\n]*)`, 'g'))].flatMap(([, member = '', rest = '']) => {
      const call = group[member]
      return call?.method === 'GET' && !rest.includes('enabled') ? [call] : []
    }),
  )
}

/** A screen's file and the parts beside it that it draws for every company. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(src + file, 'utf8')
  for (const [, names = '', path = ''] of text.matchAll(/import \{([^}]*)\} from '(\.\/[^']+\.tsx)'/g)) {
    const forMain = names.split(',').every(name => new RegExp(`is_main_company[^\\n]*<${name.trim()}\\b`).test(text))
    if (!forMain) filesOf(posix.join(posix.dirname(file), path), found)
  }
  return found
}

const built = screens.filter(screen => screen.screen && screen.access !== 'anyone')

it.each(built.map(screen => [screen.path, screen.mainOnly === true] as const))(
  '%s is for the main company alone exactly when it reads what only the main company may read: %s',
  (path, mainOnly) => {
    const reads = [...filesOf(fileOf(path))].flatMap(readsOf)
    expect(reads.some(call => call.company === 'main')).toBe(mainOnly)
  },
)

/** Shown to people of many areas, so that it says nothing about any of them. */
const general = new Set(['/settings/about'])

it.each(areas.map(area => [area.title, area] as const))('a screen or a call asks for the permissions of %s', (_, area) => {
  const codes: readonly Permission[] = area.levels.map(level => level.code)
  const asked: readonly Access[] = [
    ...built.filter(screen => !general.has(screen.path)).map(screen => screen.access),
    ...[...contracts.values()].flatMap(group => Object.values(group)).map(call => call.access),
  ]
  expect(asked.some(access => Array.isArray(access) && codes.some(code => access.includes(code)))).toBe(true)
})
