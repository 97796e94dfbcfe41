import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { filePrinter } from './file.ts'
import { PrinterRefused, PrinterUnavailable, type PrintRequest } from './printer.ts'
import { printing } from './printers.ts'

let folder: string
const signal = AbortSignal.timeout(60_000)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pakhus-file-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const label = (more: Partial<PrintRequest> = {}): PrintRequest => ({
  remote_id: 'labels',
  title: 'Label 1:1023',
  content: new TextEncoder().encode('%PDF-1.7'),
  format: 'pdf',
  idempotency_key: 'label:77:1',
  expire_after_s: 600,
  paper: null,
  copies: 2,
  ...more,
})

it('offers a label printer and an A4 printer', async () => {
  const printers = await printing('file', { folder }).printers(signal)
  expect(printers.map(p => [p.name, p.state, p.raw])).toEqual([
    ['File: labels (100 × 150 mm)', 'online', false],
    ['File: A4', 'online', false],
  ])
  expect(printers[0]?.papers).toEqual({ '100 × 150 mm': [100, 150] })
})

it('writes the document, and its metadata beside it', async () => {
  const printer = filePrinter({ folder })
  const { remote_job_id } = await printer.print(label({ title: '../../etc/passwd\0' }), signal)
  const files = (await readdir(join(folder, 'labels'))).sort()
  const name = remote_job_id.replace('labels-', '')
  expect(files).toEqual([`${name}.json`, `${name}.pdf`])
  expect(await readFile(join(folder, 'labels', `${name}.pdf`), 'utf8')).toBe('%PDF-1.7')
  expect(JSON.parse(await readFile(join(folder, 'labels', `${name}.json`), 'utf8'))).toMatchObject({
    title: '../../etc/passwd\0',
    key: 'label:77:1',
    copies: 2,
    at: expect.stringMatching(/^\d{4}-/),
  })
  expect(await printer.state(remote_job_id, signal)).toEqual({ state: 'done', message: null })
  expect(await printer.cancel(remote_job_id, signal)).toBe(false)
})

it('writes one key once, also when sixteen write it at the same time', async () => {
  const printer = filePrinter({ folder })
  const jobs = await Promise.all(Array.from({ length: 16 }, () => printer.print(label({ format: 'zpl' }), signal)))
  expect(new Set(jobs.map(j => j.remote_job_id)).size).toBe(1)
  await printer.print(label({ format: 'zpl', content: new TextEncoder().encode('other') }), signal)
  const files = await readdir(join(folder, 'labels'))
  expect(files).toHaveLength(2)
  expect(await readFile(join(folder, 'labels', files.find(f => f.endsWith('.zpl'))!), 'utf8')).toBe('%PDF-1.7')
})

it('writes a job again whose first writing was interrupted', async () => {
  const printer = filePrinter({ folder })
  const { remote_job_id } = await printer.print(label(), signal)
  const name = remote_job_id.replace('labels-', '')
  await writeFile(join(folder, 'labels', `${name}.json`), '{"title": "Lab')
  expect(await printer.print(label(), signal)).toEqual({ remote_job_id })
  expect((await printer.state(remote_job_id, signal)).state).toBe('done')
})

it('explains in a sentence that the folder is not writable', async () => {
  await writeFile(join(folder, 'a-file'), '')
  const printer = filePrinter({ folder: join(folder, 'a-file', 'jobs') })
  await expect(printer.print(label(), signal)).rejects.toThrow(
    new PrinterUnavailable('The folder of the file printer cannot be written to'),
  )
  expect((await printer.printers(signal))[0]?.state).toBe('offline')
})

it.each([
  ['an unknown printer', { remote_id: '../labels' }],
  ['ZPL on A4', { remote_id: 'a4', format: 'zpl' as const }],
  ['an expired job', { expire_after_s: 0 }],
  ['an empty document', { content: new Uint8Array() }],
  ['no copies', { copies: 0 }],
])('refuses %s and writes nothing', async (_, more) => {
  await expect(filePrinter({ folder }).print(label(more), signal)).rejects.toBeInstanceOf(PrinterRefused)
  expect(await readdir(folder)).toEqual([])
})

it('returns only jobs of its own', async () => {
  for (const id of ['labels-0', '../a4-00000000000000000000000000000000', 'a4-00000000000000000000000000000000'])
    await expect(filePrinter({ folder }).state(id, signal)).rejects.toBeInstanceOf(PrinterRefused)
})
