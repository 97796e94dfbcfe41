/** Prints through the CUPS of this machine, by its commands `lp`, `lpstat`, `lpoptions` and `cancel`. */
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type CupsConfig, cupsCommands, Interrupted, isQueueName, plain } from './cups-commands.ts'
import {
  PrinterRefused,
  PrinterUnavailable,
  type Printing,
  PrintOutcomeUnknown,
  type RemotePrinter,
  refuseUnprintable,
  takesZpl,
} from './printer.ts'

/** Whether the commands of CUPS exist on this machine. */
export async function hasCups(path = process.env.PATH ?? ''): Promise<boolean> {
  for (const folder of path.split(delimiter).filter(Boolean))
    if (
      await access(join(folder, 'lp'), constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return true
  return false
}

/**
 * Sources: lp(1), lpstat(1), lpoptions(1) and cancel(1) of CUPS 2.4. CUPS has no idempotency key: a job whose acceptance is
 * not known must not be sent again.
 */
export function cups(config: CupsConfig = {}): Printing {
  const known = new Map<string, { about: About; until: number }>()
  const { run, ask } = cupsCommands(config)

  const isRunning = async (signal: AbortSignal) => (await ask('lpstat', ['-r'], signal)).stdout.startsWith('scheduler is running')

  async function aboutQueue(queue: string, signal: AbortSignal): Promise<About> {
    const remembered = known.get(queue)
    if (remembered && remembered.until > performance.now()) return remembered.about
    const options = await ask('lpoptions', ['-p', queue], signal)
    const choices = await ask('lpoptions', ['-p', queue, '-l'], signal)
    const about = { description: descriptionIn(options.stdout), papers: papersIn(choices.stdout) }
    if (known.size > 1_000) known.clear()
    known.set(queue, { about, until: performance.now() + 10 * 60_000 })
    return about
  }

  return {
    kind: 'cups',

    async printers(signal) {
      if (!(await isRunning(signal))) throw new PrinterUnavailable('CUPS does not answer')
      const names = await ask('lpstat', ['-e'], signal)
      const states = await ask('lpstat', ['-p'], signal)
      const off = new Set([...states.stdout.matchAll(/^printer (\S+) disabled /gm)].map(([, name]) => name))
      const printers: RemotePrinter[] = []
      for (const name of names.stdout.split('\n').filter(isQueueName).slice(0, mostPrinters)) {
        const { description, papers } = await aboutQueue(name, signal)
        const state = off.has(name) ? 'offline' : 'online'
        printers.push({ remote_id: name, name, description, computer: '', state, papers, raw: takesZpl(`${name} ${description}`) })
      }
      return printers
    },

    async print(request, signal) {
      refuseUnprintable(request)
      const { remote_id: queue, title, content, format, paper, copies } = request
      if (!isQueueName(queue)) throw new PrinterRefused('CUPS does not know this printer')
      const options =
        format === 'zpl' ? ['raw'] : ['print-scaling=none', ...(paper !== null && isPaperName(paper) ? [`media=${paper}`] : [])]
      const args = ['-d', queue, '-n', String(copies), '-t', titleOf(title), ...options.flatMap(option => ['-o', option])]
      let finished: Awaited<ReturnType<typeof run>>
      try {
        finished = await run('lp', args, signal, content)
      } catch (error) {
        if (error instanceof Interrupted) throw new PrintOutcomeUnknown('CUPS did not answer in time; it may have the job')
        throw error
      }
      if (finished.code !== 0) {
        if (/not accepting jobs/i.test(finished.stderr)) throw new PrinterUnavailable('The printer takes no jobs at the moment')
        // `lp` says of every printer that it does not exist when it cannot reach the server.
        throw (await isRunning(signal)) ? new PrinterRefused(sentenceIn(finished.stderr)) : new PrinterUnavailable('CUPS does not answer')
      }
      const id = /\brequest id is (\S+-\d+)/.exec(finished.stdout)?.[1]
      if (!id) throw new PrintOutcomeUnknown('CUPS answered something unexpected; it may have the job')
      return { remote_job_id: id }
    },

    async state(remote_job_id, signal) {
      const queue = queueOf(remote_job_id)
      const waiting = await ask('lpstat', ['-W', 'not-completed', '-o', queue], signal)
      if (waiting.code !== 0) throw new PrinterUnavailable('CUPS does not answer')
      if (jobIn(waiting.stdout, remote_job_id)) {
        const printer = await ask('lpstat', ['-p', queue], signal)
        return printer.stdout.startsWith(`printer ${queue} disabled `)
          ? { state: 'sent', message: plain(printer.stdout.split('\n')[1] ?? '') || null }
          : { state: 'accepted', message: null }
      }
      const ended = await ask('lpstat', ['-l', '-W', 'completed', '-o', queue], signal)
      const job = jobIn(ended.stdout, remote_job_id)
      if (!job) throw new PrinterRefused('CUPS does not know this job')
      if (/^\s+Alerts: .*\bjob-canceled/m.test(job)) return { state: 'cancelled', message: null }
      if (/^\s+Alerts: .*\b(aborted|job-completed-with-errors|document-(?:format|access)-)/m.test(job))
        return { state: 'failed', message: plain(/^\s+Status: (.*)$/m.exec(job)?.[1] ?? '') || null }
      return { state: 'done', message: null }
    },

    async cancel(remote_job_id, signal) {
      queueOf(remote_job_id)
      return (await ask('cancel', [remote_job_id], signal)).code === 0
    },
  }
}

interface About {
  description: string
  papers: RemotePrinter['papers']
}

const mostPrinters = 200

const isPaperName = (name: string): boolean => /^[\w.-]{1,100}$/.test(name)
const titleOf = (title: string): string => title.replace(/\p{C}/gu, ' ').slice(0, 200) || 'Pakhus'

function queueOf(remote_job_id: string): string {
  const queue = /^(.+)-\d{1,10}$/.exec(remote_job_id)?.[1]
  if (!queue || !isQueueName(queue)) throw new PrinterRefused('CUPS does not know this job')
  return queue
}

/** The line of a job in the answer of `lpstat`, with its indented lines. */
function jobIn(text: string, remote_job_id: string): string | undefined {
  return text.split(/\n(?=\S)/).find(job => job.split(/\s/, 1)[0] === remote_job_id)
}

const sentenceIn = (stderr: string): string => {
  const said = plain(stderr.split('\n')[0] ?? '').replace(/^lp: (?:Error - )?/, '')
  return said ? `CUPS refuses: ${said}` : 'CUPS refuses the job'
}

/** What a person wrote about the printer, and its driver. */
function descriptionIn(options: string): string {
  const value = (name: string) => {
    const [, quoted, bare] = new RegExp(`\\b${name}=(?:'((?:[^'\\\\]|\\\\.)*)'|(\\S+))`).exec(options) ?? []
    return quoted ?? bare ?? ''
  }
  return plain([...new Set([value('printer-info'), value('printer-make-and-model')])].filter(Boolean).join(' · '))
}

const namedPapers: Readonly<Record<string, readonly [number, number]>> = {
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  '4x6': [101.6, 152.4],
}
const millimetres = (length: string, per: number) => Math.round(Number(length) * per * 10) / 10

function sizeOf(paper: string): readonly [number, number] | undefined {
  const named = namedPapers[paper.replace(/\.(?:Borderless|Fullbleed|FullBleed)$/, '')]
  if (named) return named
  const [, w, h] = /^w(\d{2,4})h(\d{2,4})$/.exec(paper) ?? []
  if (w && h) return [millimetres(w, 25.4 / 72), millimetres(h, 25.4 / 72)]
  const [, width, height] = /(?:^|_)(\d{2,4}(?:\.\d{1,2})?)x(\d{2,4}(?:\.\d{1,2})?)mm$/.exec(paper) ?? []
  return width && height ? [millimetres(width, 1), millimetres(height, 1)] : undefined
}

/** The papers of `lpoptions -l`: `PageSize/Media Size: *A4 Letter w283h425 Custom.WIDTHxHEIGHT`. */
function papersIn(choices: string): RemotePrinter['papers'] {
  const words = (/^(?:PageSize|media)\/[^:\n]*: (.*)$/m.exec(choices)?.[1] ?? '').split(' ').map(word => word.replace(/^\*/, ''))
  const papers: Record<string, readonly [number, number]> = {}
  for (const word of words.slice(0, 100)) {
    const size = isPaperName(word) ? sizeOf(word) : undefined
    if (size) papers[word] = size
  }
  // Any size may be asked for: that of labels is.
  if (words.some(word => word.startsWith('Custom.')) && words.length > 1) papers['Custom.100x150mm'] = [100, 150]
  return papers
}
