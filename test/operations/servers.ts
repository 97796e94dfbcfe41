/** Two servers on one database and one bucket: a change through one reaches the screens of the other, files are in the bucket. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { backupTo } from './backup.ts'
import { blockOf, replaced } from './document.ts'
import { check, equal, execute, freePort, type Run, root, shell, until } from './harness.ts'
import { ask, createOrder, demoAdmin, done, localhost, newKey, plainEnv, signIn } from './pakhus.ts'
import { startDebianPostgres } from './postgres.ts'

export const servers = {
  name: 'servers',
  async run(run: Run): Promise<void> {
    const database = await startDebianPostgres(run, 'database')
    const bucket = await freePort()
    await run.step('an S3 server from npm', async () => {
      mkdirSync(run.path('s3'))
      await execute('npm', ['install', '--prefix', run.path('s3'), '--no-audit', '--no-fund', '--ignore-scripts', 's3rver@3.7.1'], {
        cwd: run.path('s3'),
        env: process.env,
      })
      const words = ['--directory', run.path('objects'), '--address', '127.0.0.1', '--port', String(bucket), '--configure-bucket', 'pakhus']
      mkdirSync(run.path('objects'))
      const program = run.start(process.execPath, [run.path('s3/node_modules/s3rver/bin/s3rver.js'), ...words], { cwd: run.path('s3') })
      await program.says(/listening/)
    })
    const settings = {
      S3_ENDPOINT: `http://127.0.0.1:${bucket}`,
      S3_BUCKET: 'pakhus',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      SECRET_KEY: 'a key that all servers share, and no one else',
      PERSONAL_KEY: 'a key for personal numbers, shared as well',
      DATABASE_URL: database.url,
    }
    const startServer = async (name: string) => {
      const printed = replaced(blockOf('Several servers', 'sh'), {
        'https://s3.eu-central-1.amazonaws.com': settings.S3_ENDPOINT,
        'S3_REGION=eu-central-1': `S3_REGION=${settings.S3_REGION}`,
        'S3_ACCESS_KEY_ID=…': `S3_ACCESS_KEY_ID=${settings.S3_ACCESS_KEY_ID}`,
        'S3_SECRET_ACCESS_KEY=…': `S3_SECRET_ACCESS_KEY=${settings.S3_SECRET_ACCESS_KEY}`,
        ' SECRET_KEY=…': ` SECRET_KEY='${settings.SECRET_KEY}'`,
        'PERSONAL_KEY=…': `PERSONAL_KEY='${settings.PERSONAL_KEY}'`,
        'DATABASE_URL=…': `DATABASE_URL='${settings.DATABASE_URL}'`,
        'npm start': 'exec "$0" src/app/main.ts',
      })
      const port = await freePort()
      const env = { ...plainEnv, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: run.path(name), DEMO: '1', LOG_LEVEL: 'warn' }
      const program = run.start('/bin/sh', ['-euc', printed, process.execPath], { cwd: root, env })
      await program.says(/Pakhus is ready/)
      return Object.assign(program, { port })
    }
    const one = await run.step('the first server starts', () => startServer('one'))
    const two = await run.step('the second server starts', () => startServer('two'))
    const [first, second] = [localhost(one.port, 'demo'), localhost(two.port, 'demo')]
    const token = await run.step('a login at one is a login at the other', async () => {
      const token = await signIn(first, 'demo', demoAdmin)
      equal((await ask(second, 'GET /api/demo/about', { token })).status, 200, 'the other server')
      return token
    })
    await run.step('a change through one is seen by the stream of the other', async () => {
      const heard = { text: '' }
      const stream = request({
        host: '127.0.0.1',
        port: two.port,
        path: '/api/demo/live?topics=order',
        headers: { host: second.host, authorization: token, accept: 'text/event-stream' },
      })
      stream.on('response', answer => answer.setEncoding('utf8').on('data', piece => (heard.text += piece)))
      stream.on('error', () => undefined)
      stream.end()
      run.after(() => stream.destroy())
      await until('the stream to open', () => heard.text)
      const length = heard.text.length
      await createOrder(first, await newKey(first, token, 'demo'), 'S-1', 'demo')
      await until('the notification', () => /order/.exec(heard.text.slice(length)), 15)
      const found = await done(second, 'GET /api/demo/orders/search/?query=S-1', { token })
      check(JSON.stringify(found).includes('"S-1"'), 'The other server does not find the order')
    })
    await run.step('one dies, the other goes on', async () => {
      await one.end('SIGKILL')
      await createOrder(second, await newKey(second, token, 'demo'), 'S-2', 'demo')
    })
    await run.step('files are in the bucket and not on the disk, and the bucket is in the backup', async () => {
      const stored = readdirSync(run.path('objects'), { recursive: true }).length
      check(stored > 20, `The bucket holds ${stored} files`)
      for (const name of ['one', 'two']) {
        const kept = existsSync(run.path(`${name}/files`)) ? readdirSync(run.path(`${name}/files`)).filter(entry => entry !== 'drafts') : []
        equal(kept, [], 'files on the disk')
      }
      mkdirSync(run.path('backups'))
      const said = await backupTo(run, 'bucket.backup', { ...settings, DATA_DIR: run.path('two') })
      check(Number(/and (\d+) files/.exec(said)?.[1]) > 20, said)
      const restored = await startDebianPostgres(run, 'restored')
      const folder = run.path('restored-data')
      await shell(
        'exec "$0" scripts/restore.ts "$1" --erasures none'
          .replaceAll('$1', `${run.path('backups')}/bucket.backup`)
          .replaceAll('$0', process.execPath),
        {
          cwd: root,
          env: {
            ...plainEnv,
            SECRET_KEY: settings.SECRET_KEY,
            PERSONAL_KEY: settings.PERSONAL_KEY,
            DATABASE_URL: restored.url,
            DATA_DIR: folder,
            BACKUP_PASSPHRASE: 'at least twelve characters',
          },
        },
      )
      check(readdirSync(`${folder}/files`, { recursive: true }).length > 20, 'The files did not come back')
    })
  },
}
