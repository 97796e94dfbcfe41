/** The setting for real behind nginx with HTTPS, as printed: the base domain and a company, sign-in, client addresses, live notifications. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { blockOf, replaced } from './document.ts'
import { check, equal, execute, freePort, needPrograms, type Run, root, shell, until } from './harness.ts'
import { type Address, ask, createOrder, newKey, plainEnv, setUp, signIn } from './pakhus.ts'

const domain = 'pakhus.example.com'
const live = `/etc/letsencrypt/live/${domain}`

export const proxy = {
  name: 'proxy',
  async run(run: Run): Promise<void> {
    await needPrograms({ '/usr/sbin/nginx': 'nginx', '/usr/bin/openssl': 'openssl' })
    const [plain, secure, behind] = [await freePort(), await freePort(), await freePort()]
    const certificates = run.path('certificates')
    mkdirSync(certificates)

    await run.step('the names of the DNS are those of the certificate', async () => {
      const names = blockOf('Setting it up for real', 'text')
        .trim()
        .split('\n')
        .map(line => line.split(/\.?\s/)[0])
      equal(names, [domain, `*.${domain}`], 'names in the DNS')
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${domain}`]
      const alternatives = ['-addext', `subjectAltName=${names.map(name => `DNS:${name}`).join(',')}`]
      await execute('openssl', [
        ...made,
        ...alternatives,
        '-keyout',
        `${certificates}/privkey.pem`,
        '-out',
        `${certificates}/fullchain.pem`,
      ])
      const shown = await shell(replaced(blockOf('HTTPS', 'sh'), { [live]: certificates }))
      for (const name of names) check(shown.includes(`DNS:${name}`), `The certificate does not name ${name}: ${shown}`)
    })
    await run.step('nginx accepts the printed block', async () => {
      const printed = replaced(blockOf('HTTPS', 'nginx'), {
        'listen 80;': `listen 127.0.0.1:${plain};`,
        'listen 443 ssl': `listen 127.0.0.1:${secure} ssl`,
        '127.0.0.1:8080': `127.0.0.1:${behind}`,
        [live]: certificates,
      })
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${run.folder}/${name};`)
      const around = `pid ${run.folder}/nginx.pid; daemon off; error_log stderr; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${printed}}\n`
      writeFileSync(run.path('nginx.conf'), around)
      await execute('/usr/sbin/nginx', ['-t', '-q', '-c', run.path('nginx.conf')])
      const program = run.start('/usr/sbin/nginx', ['-c', run.path('nginx.conf')])
      await until('nginx', () => {
        if (program.isOver) throw new Error(program.output)
        return ask({ port: plain, host: domain }, 'GET /').catch(() => undefined)
      })
    })
    const certificate = readFileSync(`${certificates}/fullchain.pem`, 'utf8')
    const base: Address = { port: secure, host: domain, certificate }
    const company: Address = { port: secure, host: `north.${domain}`, certificate }
    const origin = { origin: `https://${domain}` }

    await run.step('plain HTTP leads to HTTPS', async () => {
      const { status, headers } = await ask({ port: plain, host: `north.${domain}` }, 'GET /orders')
      equal([status, headers.location], [308, `https://north.${domain}/orders`], 'redirection')
    })
    const server = await run.step('the printed command starts it, and its link names the public address', async () => {
      const command = replaced(blockOf('Setting it up for real', 'sh'), { 'npm start': 'exec "$0" src/app/main.ts' })
      const env = { ...plainEnv, PORT: String(behind), DATA_DIR: run.path('data'), LOG_LEVEL: 'info' }
      const program = run.start('/bin/sh', ['-euc', command, process.execPath], { cwd: root, env })
      await program.says(/Pakhus is ready/)
      check(program.output.includes(`https://${domain}/setup#`), `The link is another one:\n${program.output}`)
      return program
    })
    await run.step('setup works at the base domain, sign-in at the company', async () => {
      equal((await ask(base, 'GET /setup')).status, 200, 'the page of the setup')
      await setUp(server.output, base, origin)
      check((await signIn(company)).length > 10, 'no token')
    })
    await run.step('changes of a page over HTTPS are taken, those of another page refused', async () => {
      const token = await signIn(company)
      const change = (from: string) =>
        ask(company, 'POST /api/north/cms/authorization', { token, body: { name: from.slice(0, 30) }, headers: { origin: from } })
      equal((await change(`https://north.${domain}`)).status, 200, 'own page')
      equal((await change('https://north.example.org')).status, 403, 'foreign page')
      equal((await change(`http://north.${domain}`)).status, 403, 'page without HTTPS')
    })
    await run.step('a body over the limit of a call gets our 413 through nginx, not a 502', async () => {
      const { status, body } = await ask(company, 'POST /api/north/auth/login', { body: { email: 'x'.repeat(20_000_000) } })
      equal([status, JSON.stringify(body).includes('request_too_large')], [413, true], 'the refusal')
    })
    await run.step('answers over HTTPS carry HSTS, and the log the address of the client', async () => {
      const { headers } = await ask(company, 'GET /conf.json', { headers: { 'x-forwarded-for': '198.51.100.7' } })
      check(String(headers['strict-transport-security']).includes('max-age'), 'no HSTS')
      await until('the line in the log', () => /"line":"GET \/conf.json"/.exec(server.output))
      // What a client claims itself counts for nothing: nginx writes the header anew.
      check(!server.output.includes('198.51.100.7'), 'A client chooses its address')
    })
    await run.step('live notifications are not held back', async () => {
      const token = await signIn(company)
      const key = await newKey(company, token)
      const heard = { text: '' }
      const stream = request({
        host: '127.0.0.1',
        port: secure,
        path: '/api/north/live?topics=order',
        ca: certificate,
        servername: company.host,
        headers: { host: company.host, authorization: token, accept: 'text/event-stream' },
      })
      stream.on('response', answer => answer.setEncoding('utf8').on('data', piece => (heard.text += piece)))
      stream.on('error', () => undefined)
      stream.end()
      run.after(() => stream.destroy())
      await until('the stream to open', () => heard.text)
      const before = heard.text.length
      await createOrder(company, key, 'P-1')
      await until('the notification', () => /order/.exec(heard.text.slice(before)), 10)
      stream.destroy()
    })
    await run.step('a file of 9 MB passes the proxy', async () => {
      const token = await signIn(company)
      const file = `sku;name;barcode\n${`P-1;${'long name '.repeat(8)};2000000041001\n`.repeat(90_000)}`
      const { status, body } = await ask(company, 'POST /api/north/products/import', { token, file })
      check(status === 200 || status === 202, `${status} ${JSON.stringify(body).slice(0, 300)}`)
    })
    await run.step('SIGTERM ends it in order', () => server.end())
  },
}
