/** Dockerfile and compose.yaml follow the rules of linters: pinned images, no root, no secrets, checks of health, data in volumes. */
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer } from './server-process.ts'
import { openTestApp } from './test-app.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Instruction {
  word: string
  rest: string
}
/** The instructions of a Dockerfile, with continued lines joined. */
const instructions: Instruction[] = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map(line => {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    return { word, rest }
  })
const lastStage = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'))
const all = (word: string, among = instructions) => among.filter(one => one.word === word).map(({ rest }) => rest)

/** The lines of compose.yaml below a key of the first or second level, without their indentation. */
function section(name: string, lines: string[], depth: number): string[] {
  const start = lines.indexOf(`${' '.repeat(depth)}${name}:`)
  const end = lines.findIndex((line, place) => place > start && new RegExp(`^ {0,${depth}}\\S`).test(line))
  return start < 0 ? [] : lines.slice(start + 1, end < 0 ? undefined : end)
}
const composeLines = read('compose.yaml').split('\n')
const services = Object.fromEntries(
  section('services', composeLines, 0)
    .flatMap(line => /^ {2}(\w+):$/.exec(line)?.[1] ?? [])
    .map(name => [name, section(name, section('services', composeLines, 0), 2).join('\n')]),
)

/** Whether `.dockerignore`, which begins by leaving out everything, lets a path through. */
const isSent = (path: string) =>
  read('.dockerignore')
    .split('\n')
    .includes(`!${path.split('/')[0]}`)

describe('the Dockerfile', () => {
  it('builds on images with a full version, never on "latest"', () => {
    const images = all('FROM').map(rest => rest.split(' ')[0] ?? '')
    expect(images.length).toBeGreaterThan(1)
    for (const image of images) expect(image).toMatch(/^[a-z/]+:\d+\.\d+\.\d+[\w.-]*$/)
  })

  it('uses the Node that the project brings', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    for (const image of all('FROM')) expect(image).toContain(`node:${dependencies.node}-`)
  })

  it('ends as a user that is not root, with commands in exec form', () => {
    expect(all('USER', lastStage).at(-1)).toBe('node')
    for (const word of ['CMD', 'ENTRYPOINT']) for (const rest of all(word)) expect(JSON.parse(rest)).toBeInstanceOf(Array)
    expect(all('CMD', lastStage)).toHaveLength(1)
  })

  it('asks for the health without a program that the image lacks', () => {
    const [check = ''] = all('HEALTHCHECK', lastStage)
    const command = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[]
    expect(command[0]).toBe('node')
    expect(command.at(-1)).toContain('/healthz')
  })

  it('adds nothing from the network but the packages of the lock file', () => {
    expect(all('ADD')).toEqual([])
    expect(all('RUN').join('\n')).not.toMatch(/\b(curl|wget|sudo|npm install|npx)\b/)
    for (const run of all('RUN').filter(one => one.includes('apt-get'))) expect(run).toContain('rm -rf /var/lib/apt/lists')
  })

  it('copies only paths that exist and that the build receives', () => {
    const copied = all('COPY')
      .filter(rest => !rest.startsWith('--from='))
      .flatMap(rest => rest.split(' ').slice(0, -1))
    expect(copied.length).toBeGreaterThan(10)
    for (const path of copied) expect([path, existsSync(join(root, path)), isSent(path)]).toEqual([path, true, true])
  })

  it('receives every file that the build of the screens reads', () => {
    for (const page of globSync('*.html', { cwd: root })) expect(all('COPY').join(' ')).toContain(page)
    expect(all('COPY').join(' ')).toContain('vite.config.ts')
  })

  it('holds no secret', () => {
    expect([...all('ENV'), ...all('ARG')].join(' ')).not.toMatch(/PASSWORD|SECRET|TOKEN|PASSPHRASE|KEY/)
    for (const path of ['.env', '.git', 'data', 'node_modules', 'dist']) expect(isSent(path)).toBe(false)
  })

  it('starts a script that the built folder holds', () => {
    const [, script = ''] = JSON.parse(all('CMD', lastStage)[0] ?? '[]') as string[]
    expect(existsSync(join(root, script))).toBe(true)
  })
})

describe('a built folder', () => {
  it('keeps what it has compiled in the data folder, for its next start', async () => {
    const place = mkdtempSync(join(tmpdir(), 'pakhus-built-'))
    const [folder, DATA_DIR] = [join(place, 'program'), join(place, 'data')]
    for (const path of ['src', 'migrations', 'translations', 'scripts/start.ts', 'package.json'])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    // Only its database is used.
    const testApp = await openTestApp()
    try {
      const env = { DATABASE_URL: testApp.url, DATA_DIR, WORKERS: '1', NODE_COMPILE_CACHE: '' }
      const server = await startServer(env, { folder, program: 'scripts/start.ts' })
      await server.kill('SIGTERM')
      const [programs, compiled] = ['compiled/*', 'compiled/*/*'].map(path => globSync(path, { cwd: DATA_DIR }).length)
      // That of the primary process and that of the others, whose flags differ.
      expect(programs).toBe(2)
      // The sources of the server and its packages.
      expect(compiled).toBeGreaterThan(1_000)
    } finally {
      await testApp.close()
      rmSync(place, { recursive: true, force: true })
    }
  }, 120_000)
})

describe('compose.yaml', () => {
  it('has the program, its database and a proxy, which start again by themselves', () => {
    expect(Object.keys(services)).toEqual(['app', 'database', 'proxy'])
    for (const text of Object.values(services)) expect(text).toContain('restart: unless-stopped')
  })

  it('checks the health of each; that of the program comes with its image', () => {
    expect(services.database).toContain('healthcheck:')
    expect(services.proxy).toContain('healthcheck:')
    expect(services.app).toContain('build: .')
    expect(services.app).toContain('database: { condition: service_healthy }')
  })

  it('publishes the ports of the proxy only', () => {
    expect(services.proxy).toContain(`ports: ["80:80", "443:443"]`)
    expect(services.app).not.toContain('ports:')
    expect(services.database).not.toContain('ports:')
  })

  it('names images with a full version', () => {
    const images = [...read('compose.yaml').matchAll(/^ +image: (.*)$/gm)].map(match => match[1])
    expect(images).toHaveLength(2)
    for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-\w+$/)
  })

  it('keeps data in volumes that it declares', () => {
    const declared = section('volumes', composeLines, 0).join('\n')
    for (const [service, volume] of [
      ['app', 'data:/var/lib/pakhus'],
      ['database', 'database:/var/lib/postgresql'],
    ] as const) {
      expect(services[service]).toContain(`volumes: ["${volume}"]`)
      expect(declared).toContain(`  ${volume.split(':')[0]}: {}`)
    }
    expect(read('Dockerfile')).toContain('DATA_DIR=/var/lib/pakhus')
  })

  it('mounts only files that exist', () => {
    for (const [, path = ''] of read('compose.yaml').matchAll(/^ +- \.\/(\S+?):/gm))
      expect([path, existsSync(join(root, path))]).toEqual([path, true])
  })

  it('holds no secret, and asks for those that are missing', () => {
    for (const [, value = ''] of read('compose.yaml').matchAll(/^ *\w*(?:PASSWORD|TOKEN|SECRET\w*): *(.*)$/gm))
      expect(value).toMatch(/^\$\{/)
  })

  it('trusts the network of its proxy', () => {
    const [, subnet] = /subnet: (\S+) /.exec(read('compose.yaml')) ?? []
    expect(services.app).toContain(`TRUSTED_PROXIES: ${subnet}`)
  })
})

describe('the proxies that the documentation shows', () => {
  const texts = ['docs/nginx.conf.template', 'docs/operating.md'].map(read)

  it('speak TLS 1.2 and 1.3 only, with ciphers that keep what was recorded closed', () => {
    for (const text of texts) {
      expect(text).toMatch(/ssl_protocols +TLSv1\.2 TLSv1\.3;/)
      const ciphers = /ssl_ciphers +(\S+);/.exec(text)?.[1]?.split(':') ?? []
      expect(ciphers.length).toBeGreaterThan(3)
      for (const cipher of ciphers) expect(cipher).toMatch(/^ECDHE-\w+-(AES\d+-GCM|CHACHA20)-/)
    }
  })

  it('send pages on to HTTPS, and refuse programs that forget it', () => {
    for (const text of texts) expect(text).toMatch(/location \/api\/ \{ return 403 [^\n]*\n +location \/ \{ return 308 https:/)
  })
})
