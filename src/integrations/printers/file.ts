/** Prints into a folder: to try Pakhus without a printer, and for a print server that watches a folder. */

import { createHash, randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { PrinterRefused, PrinterUnavailable, type Printing, type RemotePrinter } from './printer.ts'

export interface FilePrinterConfig {
  folder: string
}

/**
 * Two printers, `labels` and `a4`, each with its own folder. A job becomes `<printer>/<job>.pdf` or `.zpl` with a `.json` beside it
 * (title, key, copies, paper, time) once it is synced to disk; the job's name derives from its key, so a repeat finds the first.
 */
export function filePrinter({ folder }: FilePrinterConfig): Printing {
  return {
    kind: 'file',

    async printers() {
      const state = (await isWritable(folder)) ? 'online' : 'offline'
      return devices.map(device => ({ ...device, state, description: '', computer: '' }))
    },

    async print({ remote_id, title, content, format, idempotency_key, expire_after_s, paper, copies }, signal) {
      const device = devices.find(d => d.remote_id === remote_id)
      if (!device) throw new PrinterRefused('File printer not found')
      if (format === 'zpl' && remote_id !== 'labels') throw new PrinterRefused('The A4 file printer does not take ZPL')
      if (content.byteLength === 0) throw new PrinterRefused('The document is empty')
      if (!(copies >= 1)) throw new PrinterRefused('The number of copies must be at least 1')
      if (!(expire_after_s > 0)) throw new PrinterRefused('The job had expired before it was sent')
      if (signal.aborted) throw new PrinterUnavailable('The job was not written: the time had run out')
      const name = createHash('sha256').update(idempotency_key).digest('hex').slice(0, 32)
      const place = join(folder, remote_id)
      try {
        await mkdir(place, { recursive: true })
        if (!(await sideFile(place, name))) {
          // The metadata file is written last: it marks the document as complete.
          await writeSafely(place, `${name}.${format}`, content)
          const side: SideFile = { title, key: idempotency_key, format, copies, paper, at: new Date().toISOString() }
          await writeSafely(place, `${name}.json`, Buffer.from(`${JSON.stringify(side, null, 2)}\n`))
        }
      } catch (error) {
        // An incomplete document has no metadata file and no final name: the same key writes it again.
        throw new PrinterUnavailable(sentenceFor(error))
      }
      return { remote_job_id: `${remote_id}-${name}` }
    },

    async state(remote_job_id) {
      const [, printer, name] = jobName.exec(remote_job_id) ?? []
      const side = printer && name ? await sideFile(join(folder, printer), name) : null
      if (!side) throw new PrinterRefused('The folder has no such job')
      return { state: 'done', message: null }
    },

    async cancel() {
      return false
    },
  }
}

/** PDF by default, because people who try Pakhus open the files; ZPL goes into the label folder only where it was chosen. */
const devices: readonly Pick<RemotePrinter, 'remote_id' | 'name' | 'papers' | 'raw'>[] = [
  { remote_id: 'labels', name: 'File: labels (100 × 150 mm)', papers: { '100 × 150 mm': [100, 150] }, raw: false },
  { remote_id: 'a4', name: 'File: A4', papers: { A4: [210, 297] }, raw: false },
]
const jobName = /^(labels|a4)-([0-9a-f]{32})$/

const SideFile = z.object({
  title: z.string(),
  key: z.string(),
  format: z.enum(['pdf', 'zpl']),
  copies: z.number(),
  paper: z.string().nullable(),
  at: z.iso.datetime(),
})
type SideFile = z.infer<typeof SideFile>

async function sideFile(place: string, name: string): Promise<SideFile | null> {
  try {
    return SideFile.parse(JSON.parse(await readFile(join(place, `${name}.json`), 'utf8')))
  } catch {
    return null
  }
}

/** A file under its final name is always complete, also after a power cut. */
async function writeSafely(place: string, name: string, content: Uint8Array): Promise<void> {
  const unfinished = join(place, `.${name}.${randomUUID()}.tmp`)
  try {
    const file = await open(unfinished, 'wx', 0o640)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(place, name))
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
  // Windows cannot open a folder, and persists names without it.
  if (process.platform === 'win32') return
  const directory = await open(place)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function sentenceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk of the file printer is full'
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return 'The folder of the file printer may not be written to'
  return 'The folder of the file printer cannot be written to'
}
