/** The built folder: its size, what it refuses, and that it runs in a clean place without a network. */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeArtefact } from '../../scripts/artefact.ts'
import { blockOf } from './document.ts'
import { check, equal, execute, NotTried, type Run, root, shell } from './harness.ts'
import { launchPakhus, plainEnv } from './pakhus.ts'
import { startDebianPostgres } from './postgres.ts'

const visit = join(import.meta.dirname, 'offline-visit.ts')

/** Runs the visit where only the loopback is. */
async function visitOffline(run: Run, code: string, command: string, env: Record<string, string>): Promise<void> {
  const words = [process.execPath, visit, code, command, JSON.stringify(env)]
  await execute('unshare', ['--net', '/bin/sh', '-euc', 'ip link set lo up; exec "$0" "$@"', ...words], {
    cwd: run.folder,
    env: { ...plainEnv, TMPDIR: run.folder },
  })
}

export const artefact = {
  name: 'artefact',
  async run(run: Run): Promise<void> {
    const slim = run.path('slim/pakhus')
    const full = run.path('full/pakhus')
    await run.step('the build writes the folder', async () => {
      await shell(blockOf('A folder for the server', 'sh'), { cwd: root, env: plainEnv })
      cpSync(join(root, 'build'), full, { recursive: true, verbatimSymlinks: true })
      writeArtefact(slim, { slim: true })
    })
    await run.step('compose.yaml asks for what the printed file .env sets', () => {
      const printed = [...blockOf('Containers', 'ini').matchAll(/^(\w+)=/gm)].map(match => match[1])
      const wanted = [...readFileSync(join(root, 'compose.yaml'), 'utf8').matchAll(/\$\{(\w+):\?/g)].map(match => match[1])
      equal(printed.sort(), [...new Set(wanted)].sort(), 'settings')
    })
    await run.step('the folder is below 150 MB without Node and PostgreSQL', async () => {
      const megabytes = Number((await execute('du', ['-sm', slim])).split('\t')[0])
      check(megabytes > 20 && megabytes < 150, `It has ${megabytes} MB`)
    })
    await run.step('it holds no source of the screens, no test, and no package of the development', () => {
      for (const path of [
        'node_modules/react',
        'node_modules/vite',
        'node_modules/typescript',
        'src/app/browser.tsx',
        'src/app/main.test.ts',
      ])
        check(!existsSync(join(slim, path)), `${path} is in it`)
    })
    await run.step('npm takes its list of packages for complete', () => execute('npm', ['ls', '--all'], { cwd: full, env: plainEnv }))
    await run.step('a data folder inside of the program is refused', async () => {
      const server = launchPakhus(run, { DATA_DIR: join(slim, 'data') }, { code: slim, command: ['scripts/start.ts'] })
      await server.says(/"msg":"DATA_DIR: [^"]* lies in the folder of the program/)
      check(!existsSync(join(slim, 'data')), 'The folder was made')
    })
    try {
      await execute('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up'])
    } catch {
      throw new NotTried('without network: unshare is not permitted here, or ip is missing')
    }
    await run.step('it runs without network on the Node and the PostgreSQL that it brings', () =>
      visitOffline(run, full, 'scripts/with-node.mjs start', { DATA_DIR: run.path('data') }),
    )
    await run.step('without them it runs on another Node and the PostgreSQL of Debian', async () => {
      // A socket is a file, which is there without a network too.
      const { port } = await startDebianPostgres(run, 'database', { unix_socket_directories: run.path('database') })
      const DATABASE_URL = `postgres://pakhus:a-long-password@${encodeURIComponent(run.path('database'))}:${port}/pakhus`
      await visitOffline(run, slim, 'scripts/start.ts', { DATABASE_URL, DATA_DIR: run.path('other-data') })
    })
  },
}
