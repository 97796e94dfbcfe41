import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PrinterRefused, PrinterUnavailable, PrintOutcomeUnknown, type PrintRequest, takesZpl } from './printer.ts'
import { type FakePrinter, type FakePrintNode, fakePrintNode } from './printnode.fake.ts'
import { type PrintNode, printNode } from './printnode.ts'

let node: FakePrintNode
let zebra: FakePrinter
let through: PrintNode
const patient = () => AbortSignal.timeout(5000)
const pdf = new TextEncoder().encode('%PDF-1.7 a label')

beforeEach(async () => {
  node = await fakePrintNode()
  zebra = node.addPrinter()
  through = printNode({ apiKey: node.apiKey, baseUrl: node.url, patience: 2000 })
})
afterEach(() => node.stop())

const label = (more: Partial<PrintRequest> = {}): PrintRequest => ({
  remote_id: String(zebra.id),
  title: 'Label 1:1023',
  content: pdf,
  format: 'pdf',
  idempotency_key: 'label:77:1',
  expire_after_s: 600,
  paper: null,
  copies: 1,
  ...more,
})
const refused = async (doing: Promise<unknown>) => {
  const error = await doing.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (!(error instanceof Error)) throw new Error('Nothing was refused')
  expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain(node.apiKey)
  return error
}
const posts = () => node.asked.filter(a => a.method === 'POST')

describe('the list of printers', () => {
  it('shows papers in millimetres, the computer, and whether raw ZPL reaches the device', async () => {
    node.addPrinter({ name: 'Brother HL-L5200', description: 'Brother HL-L5200DW series', capabilities: null })
    expect(await through.printers(patient())).toEqual([
      {
        remote_id: String(zebra.id),
        name: 'Zebra ZD420',
        description: 'ZDesigner ZD420-203dpi ZPL',
        computer: 'PACK-1',
        state: 'online',
        papers: { '100x150mm': [100, 150], A4: [210, 297] },
        raw: true,
      },
      expect.objectContaining({ name: 'Brother HL-L5200', papers: {}, raw: false }),
    ])
    expect(node.asked[0]?.headers['accept-version']).toBe('~3')
  })

  it('is complete with 250 printers', async () => {
    for (let i = 0; i < 249; i++) node.addPrinter({ name: `Printer ${i}` })
    const found = await through.printers(patient())
    expect(found).toHaveLength(250)
    expect(new Set(found.map(p => p.remote_id)).size).toBe(250)
  })

  it('shows a printer as offline when its computer is switched off, whatever its last state was', async () => {
    node.goOffline(zebra)
    expect((await through.printers(patient()))[0]?.state).toBe('offline')
  })

  it('ends when the other side ignores paging', async () => {
    const page = Array.from({ length: 50 }, (_, i) => ({
      id: i + 1,
      name: 'P',
      state: 'online',
      computer: { name: 'C', state: 'connected' },
    }))
    node.behave({ on: 'GET /printers', garbage: JSON.stringify(page), times: 5 })
    expect(await through.printers(patient())).toHaveLength(50)
    expect(node.asked).toHaveLength(2)
  })

  it.each([
    ['ZDesigner ZD420-203dpi ZPL', true],
    ['Zebra GK420d', true],
    ['ZDesigner GK420d (EPL)', false],
    ['Generic / Text Only', true],
    ['HP LaserJet M404', false],
    ['Microsoft Print to PDF', false],
    ['GX430t', true],
  ])('guesses from the driver %s that ZPL reaches it: %s', (driver, raw) => {
    expect(takesZpl(driver)).toBe(raw)
  })
})

describe('a print job', () => {
  it('sends a PDF with its paper, copies, expiry and key, and returns the number', async () => {
    zebra.capabilities = { copies: 99, papers: { '100x150mm': [1000, 1500] } }
    const { remote_job_id } = await through.print(label({ paper: '100x150mm', copies: 2 }), patient())
    const [job] = node.jobs
    expect(remote_job_id).toBe(String(job?.id))
    expect(job).toMatchObject({ contentType: 'pdf_base64', qty: 1, options: { copies: 2, paper: '100x150mm' }, key: 'label:77:1' })
    expect(posts()[0]?.body).toMatchObject({ expireAfter: 600 })
    expect(new Uint8Array(job!.content)).toEqual(pdf)
    expect(node.printed()[0]?.copies).toBe(2)
  })

  it('sends the copies one by one where the driver makes none', async () => {
    await through.print(label({ copies: 3 }), patient())
    expect(node.jobs[0]).toMatchObject({ qty: 3, options: { copies: 1 } })
    expect(node.printed()[0]?.copies).toBe(3)
  })

  it('leaves out a paper that the driver does not know by that name', async () => {
    await through.print(label({ paper: 'constructor' }), patient())
    expect(node.jobs[0]?.options).toEqual({ copies: 1 })
  })

  it('prints to a printer whose capabilities are unknown', async () => {
    zebra.capabilities = null
    await through.print(label({ paper: 'A4', copies: 2 }), patient())
    expect(node.printed()[0]?.copies).toBe(2)
  })

  it('sends ZPL raw, byte for byte, and counts its copies outside the driver', async () => {
    const content = new TextEncoder().encode('^XA^CI28^FO40,40^FDÆrø^FS^XZ')
    await through.print(label({ format: 'zpl', content, copies: 4 }), patient())
    expect(node.jobs[0]).toMatchObject({ contentType: 'raw_base64', qty: 4, options: {} })
    expect(new Uint8Array(node.jobs[0]!.content)).toEqual(content)
  })

  it('keeps a hostile title on one line, short, and out of everything else', async () => {
    const title = `\u202e<script>\r\nX-Idempotency-Key: stolen\0${'å'.repeat(5000)}\ud83d`
    await through.print(label({ title, idempotency_key: 'nøgle\r\nx: y' }), patient())
    const [job] = node.jobs
    expect(job?.title).toMatch(/^<script> X-Idempotency-Key: stolen å+$/)
    expect([...job!.title]).toHaveLength(120)
    expect(job?.key).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['a printer that is not a number', { remote_id: '../whoami' }, 'PrintNode does not know this printer'],
    ['an unknown printer', { remote_id: '999999' }, 'PrintNode refuses: Printer 999999 not found'],
    ['an empty document', { content: new Uint8Array() }, 'The document is empty'],
    ['something that is no PDF', { content: new TextEncoder().encode('^XA^XZ') }, 'PrintNode refuses: content is not a PDF'],
    ['no copies', { copies: 0 }, 'The number of copies must be between 1 and 999'],
    ['a job that is too old already', { expire_after_s: 0 }, 'The job had expired before it was sent'],
  ])('refuses %s', async (_, more, sentence) => {
    const error = await refused(through.print(label(more), patient()))
    expect(error).toBeInstanceOf(PrinterRefused)
    expect(error.message).toBe(sentence)
    expect(node.jobs).toHaveLength(0)
  })
})

describe('an idempotency key', () => {
  it('prints once and returns the same number, for both answers to a repeat', async () => {
    const first = await through.print(label(), patient())
    expect(await through.print(label(), patient())).toEqual(first)
    expect(node.jobs).toHaveLength(1)

    const other = await fakePrintNode({ repeated: 'same id' })
    try {
      const printer = other.addPrinter()
      const adapter = printNode({ apiKey: other.apiKey, baseUrl: other.url })
      const once = await adapter.print(label({ remote_id: String(printer.id) }), patient())
      expect(await adapter.print(label({ remote_id: String(printer.id) }), patient())).toEqual(once)
      expect(other.jobs).toHaveLength(1)
    } finally {
      await other.stop()
    }
  })

  it('prints once when the answer was lost and the job is sent again', async () => {
    node.behave({ on: 'POST /printjobs', lostAnswer: true })
    expect(await refused(through.print(label(), patient()))).toBeInstanceOf(PrintOutcomeUnknown)
    const { remote_job_id } = await through.print(label(), patient())
    expect(remote_job_id).toBe(String(node.jobs[0]?.id))
    expect(node.printed()).toHaveLength(1)
  })

  it('prints once when the answer came too late and the job is sent again', async () => {
    through = printNode({ apiKey: node.apiKey, baseUrl: node.url, patience: 300 })
    node.behave({ on: 'POST /printjobs', slow: 600 })
    expect(await refused(through.print(label(), patient()))).toBeInstanceOf(PrintOutcomeUnknown)
    await through.print(label(), patient())
    expect(node.printed()).toHaveLength(1)
  })

  it('finds its own job among others with the same title', async () => {
    const first = await through.print(label({ idempotency_key: 'a' }), patient())
    const second = await through.print(label({ idempotency_key: 'b' }), patient())
    expect(await through.print(label({ idempotency_key: 'a' }), patient())).toEqual(first)
    expect(await through.print(label({ idempotency_key: 'b' }), patient())).toEqual(second)
  })

  it('returns a mark when the number cannot be found, and finds the job later by that mark', async () => {
    await through.print(label(), patient())
    node.behave({ on: 'GET /printers', status: 500 })
    const { remote_job_id } = await through.print(label(), patient())
    expect(remote_job_id).toMatch(/^key:\d+:[0-9a-f]{20}$/)
    expect(await through.state(remote_job_id, patient())).toEqual({ state: 'done', message: null })
  })

  it('prints once when eight requests send it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => through.print(label(), patient())))
    expect(node.jobs).toHaveLength(1)
    expect(new Set(answers.map(a => a.remote_job_id))).toEqual(new Set([String(node.jobs[0]?.id)]))
  })
})

describe('a printer that is offline', () => {
  it('prints the job once it is back in time', async () => {
    node.goOffline(zebra)
    const { remote_job_id } = await through.print(label(), patient())
    expect(await through.state(remote_job_id, patient())).toEqual({ state: 'sent', message: null })
    node.advance(300)
    node.comeBack(zebra)
    expect(await through.state(remote_job_id, patient())).toEqual({ state: 'done', message: null })
    expect(node.printed()).toHaveLength(1)
  })

  it('does not print a job late that has expired', async () => {
    node.goOffline(zebra)
    const { remote_job_id } = await through.print(label(), patient())
    node.advance(601)
    node.comeBack(zebra)
    expect(await through.state(remote_job_id, patient())).toEqual({ state: 'expired', message: null })
    expect(node.printed()).toHaveLength(0)
  })

  it('cancels a waiting job, and reports when it is too late', async () => {
    node.goOffline(zebra)
    const waiting = await through.print(label(), patient())
    expect(await through.cancel(waiting.remote_job_id, patient())).toBe(true)
    expect((await through.state(waiting.remote_job_id, patient())).state).toBe('cancelled')
    node.comeBack(zebra)
    const printed = await through.print(label({ idempotency_key: 'other' }), patient())
    expect(await through.cancel(printed.remote_job_id, patient())).toBe(false)
    expect(node.printed()).toHaveLength(1)
  })
})

describe('the state of a job', () => {
  it.each([
    ['new', 'sent'],
    ['pending_confirmation', 'sent'],
    ['queued', 'sent'],
    ['sent_to_client', 'accepted'],
    ['received', 'accepted'],
    ['downloading', 'accepted'],
    ['downloaded', 'accepted'],
    ['preparing_to_print', 'accepted'],
    ['queued_to_print', 'accepted'],
    ['in_progress', 'accepted'],
    ['done', 'done'],
    ['error', 'failed'],
    ['disappeared', 'failed'],
    ['expired', 'expired'],
    ['deleted', 'cancelled'],
    ['a state of tomorrow', 'sent'],
  ])('is for %s: %s', async (state, ours) => {
    const { remote_job_id } = await through.print(label(), patient())
    node.jobs[0]!.states.push({ state, message: null, at: Date.now() + 10_000 })
    expect((await through.state(remote_job_id, patient())).state).toBe(ours)
  })

  it('is the newest by time, with the message of the computer', async () => {
    const { remote_job_id } = await through.print(label(), patient())
    node.jobs[0]!.states.unshift({ state: 'error', message: 'Out\nof paper', at: Date.now() + 10_000 })
    expect(await through.state(remote_job_id, patient())).toEqual({ state: 'failed', message: 'Out of paper' })
  })

  it('refuses a job that PrintNode does not know', async () => {
    for (const id of ['123', 'key:1', '1,2', '../printers'])
      expect(await refused(through.state(id, patient()))).toBeInstanceOf(PrinterRefused)
  })
})

describe('unexpected answers', () => {
  it('reports a wrong key without showing it', async () => {
    const wrong = printNode({ apiKey: 'secret-canary', baseUrl: node.url })
    for (const doing of [() => wrong.print(label(), patient()), () => wrong.printers(patient()), () => wrong.whoami(patient())]) {
      const error = await refused(doing())
      expect(error).toBeInstanceOf(PrinterRefused)
      expect(error.message).toBe('PrintNode does not accept the API key')
      expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('secret-canary')
    }
  })

  it('sends no request without a key', async () => {
    expect((await refused(printNode({ apiKey: '', baseUrl: node.url }).printers(patient()))).message).toBe('No PrintNode API key is set')
    expect(node.asked).toHaveLength(0)
  })

  it('removes the key from what the provider answers', async () => {
    node.behave({ status: 403, message: `The key ${node.apiKey} may not print` })
    expect((await refused(through.print(label(), patient()))).message).toBe('PrintNode refuses: The key … may not print')
  })

  it.each([
    ['429', { status: 429 }, PrinterUnavailable],
    ['503', { status: 503 }, PrinterUnavailable],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, PrinterUnavailable],
    ['500', { status: 500 }, PrintOutcomeUnknown],
    ['502', { status: 502 }, PrintOutcomeUnknown],
    ['504 with HTML', { status: 504, garbage: true }, PrintOutcomeUnknown],
    ['402', { status: 402, message: 'Out of credits' }, PrinterRefused],
    ['403', { status: 403, garbage: true }, PrinterRefused],
    ['413', { status: 413 }, PrinterRefused],
    ['HTML instead of a number', { garbage: true }, PrintOutcomeUnknown],
    ['another JSON', { garbage: '{"id":"1"}' }, PrintOutcomeUnknown],
    ['two megabytes', { garbage: '1'.repeat(2_000_000) }, PrintOutcomeUnknown],
  ])('judges %s to a job', async (_, behaviour, kind) => {
    node.behave({ on: 'POST /printjobs', ...behaviour })
    expect(await refused(through.print(label(), patient()))).toBeInstanceOf(kind)
    await through.print(label(), patient())
    expect(node.printed()).toHaveLength(1)
  })

  it.each([
    ['HTML', { garbage: true }, 'PrintNode answered something unexpected'],
    [
      'a printer without a name',
      { garbage: '[{"id":1,"state":"online","computer":{}}]' },
      'PrintNode answered something unexpected (at 0.name)',
    ],
    ['nested JSON', { garbage: '['.repeat(200_000) }, 'PrintNode answered something unexpected'],
    ['two megabytes', { garbage: `[${' '.repeat(2_000_000)}]` }, 'PrintNode answered far more than expected'],
    ['a broken line', { lostAnswer: true }, 'PrintNode cannot be reached'],
    ['500', { status: 500 }, 'PrintNode failed (500)'],
  ])('calls a list that answers %s unavailable', async (_, behaviour, sentence) => {
    node.behave(behaviour)
    const error = await refused(through.printers(patient()))
    expect(error).toBeInstanceOf(PrinterUnavailable)
    expect(error.message).toBe(sentence)
  })

  it('waits once, as long as the provider asks', async () => {
    node.behave({ on: 'POST /printjobs', status: 429, headers: { 'retry-after': '1' } })
    const before = performance.now()
    await through.print(label(), patient())
    expect(performance.now() - before).toBeGreaterThan(950)
    expect(node.printed()).toHaveLength(1)

    node.behave({ on: 'POST /printjobs', status: 429, headers: { 'retry-after': '0' }, times: 2 })
    expect(await refused(through.print(label({ idempotency_key: 'b' }), patient()))).toBeInstanceOf(PrinterUnavailable)
    expect(node.printed()).toHaveLength(1)
  })

  it('waits no longer than its time limit', async () => {
    node.behave({ on: 'POST /printjobs', status: 429, headers: { 'retry-after': '120' } })
    const before = performance.now()
    expect(await refused(through.print(label(), patient()))).toBeInstanceOf(PrinterUnavailable)
    expect(performance.now() - before).toBeLessThan(60_000)
  })

  it('reports that nothing was submitted when the connection is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(done => server.once('listening', done))
    const address = server.address()
    await new Promise(done => server.close(done))
    const port = typeof address === 'object' && address ? address.port : 1
    const unreachable = printNode({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}` })
    expect(await refused(unreachable.print(label(), patient()))).toBeInstanceOf(PrinterUnavailable)
  })

  it('sends nothing when it is aborted before its turn', async () => {
    expect(await refused(through.print(label(), AbortSignal.abort()))).toBeInstanceOf(PrinterUnavailable)
    expect(node.asked).toHaveLength(0)
  })
})

it('sends at most ten requests a second for one account, however many adapters there are', async () => {
  const second = printNode({ apiKey: node.apiKey, baseUrl: node.url })
  const before = performance.now()
  await Promise.all(Array.from({ length: 18 }, (_, i) => (i % 2 ? second : through).whoami(patient())))
  expect(performance.now() - before).toBeGreaterThan(700)
})

it('returns the owner of its key', async () => {
  expect(await through.whoami(patient())).toEqual({
    account_id: 433,
    name: 'Grosshandel Pakhus',
    email: 'lager@example.com',
    state: 'active',
    computers: 1,
  })
})

describe('the fake itself', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${node.url}/printjobs`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${node.apiKey}:`).toString('base64')}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const good = () => ({ printerId: zebra.id, title: 't', source: 's', contentType: 'raw_base64', content: 'XlhB' })

  it.each([
    ['no printer', { printerId: undefined }, 400],
    ['an unknown printer', { printerId: 4 }, 404],
    ['an unknown content type', { contentType: 'pdf' }, 400],
    ['bad base64', { content: 'XlhB*' }, 400],
    ['no copies', { qty: 0 }, 400],
  ])('refuses %s the way the real one does', async (_, wrong, status) => {
    const answer = await send({ ...good(), ...wrong })
    expect(answer.status).toBe(status)
    const body: unknown = await answer.json()
    expect(body).toMatchObject({ uid: answer.headers.get('request-id'), code: expect.any(String), message: expect.any(String) })
  })

  it('refuses other versions and bodies that are no JSON, and accepts a valid job', async () => {
    expect((await send(good(), { 'accept-version': '~9' })).status).toBe(400)
    expect((await send('{')).status).toBe(400)
    const taken = await send(good())
    expect([taken.status, await taken.json()]).toEqual([201, node.jobs[0]?.id])
  })

  it('refuses more than its rate limit', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(good())))
    expect(answers.some(a => a.status === 429)).toBe(true)
  })
})
