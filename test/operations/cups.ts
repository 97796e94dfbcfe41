/** Printing: labels through Debian's CUPS and cups-pdf, from the server's adapter and from a print agent; what comes out is read by a scanner. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cups } from '../../src/integrations/printers/cups.ts'
import type { Printing } from '../../src/integrations/printers/printer.ts'
import { testPrintPdf } from '../../src/integrations/printers/test-print.ts'
import { readLabel } from '../label-reader.ts'
import { blockOf } from './document.ts'
import { check, equal, execute, freePort, needPrograms, type Run, root, until } from './harness.ts'
import { ask, launchPakhus, localhost, plainEnv, setUp, signIn } from './pakhus.ts'

const queue = 'PakhusLabels'

export const cupsPart = {
  name: 'cups',
  async run(run: Run): Promise<void> {
    await needPrograms({
      '/usr/sbin/cupsd': 'cups',
      '/usr/bin/lp': 'cups-client',
      '/usr/lib/cups/backend/cups-pdf': 'printer-driver-cups-pdf',
    })
    const out = run.path('out')
    const server = await run.step('a CUPS server runs with a queue that writes PDF', () => startCups(run, out))
    const printer = cups({ server })
    await run.step('the adapter lists the queue with its papers', async () => {
      const found = (await printer.printers(AbortSignal.timeout(60_000))).find(one => one.remote_id === queue)
      equal(found?.state, 'online', 'state of the queue')
      equal(found?.papers['Custom.100x150mm'], [100, 150], 'paper of labels')
    })
    await run.step('a label comes out as PDF, once, and its code is read', () => printAndRead(printer, out))
    await run.step('a print agent, started as printed, prints on it for a server', () => printByAgent(run, server, out))
  },
}

/** A CUPS server of its own beside one that the machine may have. */
async function startCups(run: Run, out: string): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  for (const folder of ['etc', 'spool', 'cache', 'state', 'tmp']) mkdirSync(run.path(folder))
  mkdirSync(out)
  // Filters and the backend run under other accounts.
  chmodSync(run.path('tmp'), 0o1777)
  chmodSync(out, 0o777)
  // The backend reads its settings there only.
  const settings = `/etc/cups/cups-pdf-${queue}.conf`
  writeFileSync(settings, `Out ${out}\nAnonDirName ${out}\nSpool ${run.path('tmp')}\nLog ${run.path('tmp')}\n`)
  run.after(() => rmSync(settings, { force: true }))
  const everyone =
    '<Location />\nOrder allow,deny\nAllow localhost\n</Location>\n<Location /admin>\nOrder allow,deny\nAllow localhost\n</Location>\n'
  const policy = '<Policy default>\nJobPrivateAccess all\nJobPrivateValues none\n<Limit All>\nOrder allow,deny\n</Limit>\n</Policy>\n'
  writeFileSync(
    run.path('etc/cupsd.conf'),
    `Listen ${address}\nBrowsing No\nDefaultAuthType None\nErrorPolicy retry-job\n${everyone}${policy}`,
  )
  writeFileSync(
    run.path('etc/cups-files.conf'),
    [
      `ServerRoot ${run.path('etc')}`,
      `RequestRoot ${run.path('spool')}`,
      `CacheDir ${run.path('cache')}`,
      `StateDir ${run.path('state')}`,
      `TempDir ${run.path('tmp')}`,
      `AccessLog ${run.path('access.log')}`,
      `ErrorLog ${run.path('error.log')}`,
      `PageLog ${run.path('page.log')}`,
      '',
    ].join('\n'),
  )
  run.start('/usr/sbin/cupsd', ['-f', '-c', run.path('etc/cupsd.conf'), '-s', run.path('etc/cups-files.conf')])
  const env = { ...plainEnv, CUPS_SERVER: address, LC_ALL: 'C' }
  await until('CUPS to answer', async () => (await execute('lpstat', ['-r'], { env })).startsWith('scheduler is running'))
  await execute('lpadmin', ['-p', queue, '-E', '-v', `cups-pdf:/${queue}`, '-m', 'lsb/usr/cups-pdf/CUPS-PDF_opt.ppd'], { env })
  return address
}

const filesIn = (out: string) =>
  existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.pdf')) : []

/** The code on the one label that is new in the folder. */
async function newCode(out: string, before: readonly string[]): Promise<string[]> {
  const name = await until('a label to come out', () => filesIn(out).find(one => !before.includes(one)))
  const pdf = await until('the whole label', () => {
    const bytes = readFileSync(join(out, name))
    return bytes.subarray(-32).toString('latin1').includes('%%EOF') ? bytes : undefined
  })
  equal(filesIn(out).length - before.length, 1, 'labels that came out')
  return (await readLabel(new Uint8Array(pdf), 300)).map(code => code.text)
}

async function printAndRead(printer: Printing, out: string): Promise<void> {
  const before = filesIn(out)
  const content = await testPrintPdf('label', { number: 4711, printer: queue, time: '', at: new Date() })
  const request = { title: 'Label 1:1023', content, format: 'pdf', idempotency_key: 'label:1:1', expire_after_s: 600, copies: 1 } as const
  const signal = AbortSignal.timeout(60_000)
  const { remote_job_id } = await printer.print({ ...request, remote_id: queue, paper: 'Custom.100x150mm' }, signal)
  await until('the job to end', async () => (await printer.state(remote_job_id, AbortSignal.timeout(60_000))).state === 'done')
  equal(await newCode(out, before), ['TEST-4711'], 'the code on the label')
}

async function printByAgent(run: Run, cupsServer: string, out: string): Promise<void> {
  const port = await freePort()
  const server = launchPakhus(run, { DATA_DIR: run.path('data'), PORT: String(port) })
  await server.says(/Pakhus is ready/)
  const at = localhost(port, 'north')
  await setUp(server.output, localhost(port, ''))
  const token = await signIn(at)
  const call = async <T>(line: string, body?: object): Promise<T> => {
    const answer = await ask(at, line, { token, ...(body && { body }) })
    check(answer.status < 400, `${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  const { key } = await call<{ key: string }>('POST /api/north/cms/authorization', { name: 'Agent', purpose: 'print_agent' })
  const command = blockOf('A print agent', 'sh')
    .replace(/pk_\S+/, key)
    .replace(/https:\/\/\S+/, `http://127.0.0.1:${port} --company north`)
    .replace(/ --raw \S+/, '')
  const agent = run.start('/bin/sh', ['-euc', `exec ${command.replace(/^(\S+=\S+) /, 'env $1 ')}`], {
    cwd: root,
    env: { ...plainEnv, CUPS_SERVER: cupsServer },
  })
  await agent.says(/asks http/)
  const printer = await until('the printer of the agent', async () => {
    const list = await call<{ printers: { id: number; kind: string; name: string }[] }>('GET /api/north/print_node/printers/list')
    return list.printers.find(one => one.kind === 'agent' && one.name === queue)
  })
  const before = filesIn(out)
  const { job, code } = await call<{ job: { id: number }; code: string }>(
    `POST /api/north/print_node/test_print?printer_id=${printer.id}&paper=label`,
  )
  await until('the job to be printed', async () => (await call<{ state: string }>(`GET /api/north/print_jobs/${job.id}`)).state === 'done')
  equal(await newCode(out, before), [code], 'the code on the test page')
  await agent.end()
  check(agent.output.includes('The print agent has ended'), `The agent ended with:\n${agent.output.slice(-1_000)}`)
}
