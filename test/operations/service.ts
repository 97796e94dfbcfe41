/** The systemd unit as printed: accepted by systemd-analyze, hardened, and its command runs as a user who may write only the data folder. */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeArtefact } from '../../scripts/artefact.ts'
import { buildWebIfChanged } from '../../scripts/build-web.ts'
import { blockOf, replaced } from './document.ts'
import { check, equal, execute, freePort, NotTried, needPrograms, type Run, until } from './harness.ts'
import { ask, plainEnv, setUp, signIn } from './pakhus.ts'

export const service = {
  name: 'service',
  async run(run: Run): Promise<void> {
    await needPrograms({ '/usr/bin/systemd-analyze': 'systemd' })
    const code = run.path('pakhus')
    const unit = run.path('pakhus.service')
    const printed = blockOf('A service', 'ini')
    await buildWebIfChanged()
    writeArtefact(code, { slim: false })
    writeFileSync(unit, replaced(printed, { '/opt/pakhus': code }))

    await run.step('systemd-analyze verify finds nothing', async () => {
      const said = await execute('systemd-analyze', ['verify', unit])
      equal(
        said.split('\n').filter(line => line.includes('pakhus')),
        [],
        'complaints',
      )
    })
    await run.step('the unit is installed, has its data folder, and is hardened', async () => {
      for (const line of [
        'WantedBy=multi-user.target',
        'StateDirectory=pakhus',
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'PrivateTmp=yes',
      ])
        check(printed.split('\n').includes(line), `The unit lacks ${line}`)
      const said = await execute('systemd-analyze', ['security', '--offline=true', '--threshold=30', unit])
      check(/exposure level/.test(said), said.slice(-300))
    })
    if (process.getuid?.() !== 0) throw new NotTried('its command: needs root to become another user')
    await run.step('its command runs as an ordinary user who may write only the data folder', async () => {
      const user = 'nobody'
      const entry = readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .find(line => line.startsWith(`${user}:`))
      const [, , uid, gid] = entry?.split(':') ?? []
      const account = { uid: Number(uid), gid: Number(gid) }
      const data = run.path('state')
      mkdirSync(data, { mode: 0o700 })
      chownSync(data, account.uid, account.gid)
      chmodSync(data, 0o700)
      const port = await freePort()
      const settings = [...printed.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) =>
        words.split(' ').map(word => word.split(/=(.*)/s)),
      )
      const env = { ...Object.fromEntries(settings), PORT: String(port), DATA_DIR: data, PATH: plainEnv.PATH, HOME: '/nonexistent' }
      const [program = '', ...words] = (/^ExecStart=(.*)$/m.exec(printed)?.[1] ?? '').replace('/opt/pakhus', code).split(' ')
      const server = run.start(program, words, { ...account, cwd: code, env })
      await server.says(/Pakhus is ready/)
      const base = { port, host: 'pakhus.example.com' }
      // As the proxy on this machine sends it.
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': base.host, 'x-forwarded-for': '192.0.2.1' }
      await setUp(server.output, base, headers)
      check((await signIn({ ...base, host: `north.${base.host}` })).length > 10, 'no token')
      equal((await ask(base, 'GET /readyz')).status, 200, 'readyz')
      check(existsSync(`${data}/postgres`) && existsSync(`${data}/secret.key`), 'The data are elsewhere')
      const began = Date.now()
      await server.end('SIGTERM')
      equal(server.child.exitCode, 0, 'exit code')
      check(Date.now() - began < 30_000, 'It took longer than the unit waits')
      await until('the database to end', () => !existsSync(`${data}/postgres/18/postmaster.pid`))
    })
  },
}
