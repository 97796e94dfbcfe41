/**
 * Manages the queues of the CUPS of this machine. Sources: lpadmin(8), lpstat(1), lpinfo(8), cupsenable(8), cupsaccept(8), cancel(1) and
 * lpoptions(1) of CUPS 2.4. The user of this process belongs to the group `lpadmin`.
 */
import { printerAddressProblem, queueName } from '#domain/printer-address.ts'
import { type CupsConfig, cupsCommands, isQueueName, plain } from './cups-commands.ts'
import { PrinterRefused, PrinterUnavailable } from './printer.ts'

export interface CupsQueue {
  name: string
  /** Where its printer is, such as `socket://10.0.0.9`. */
  address: string
  state: 'idle' | 'prints' | 'stopped'
  accepts: boolean
  is_default: boolean
  /** Jobs that wait. */
  jobs: number
  /** What CUPS says of a stopped printer. */
  message: string
}

export type CupsCommand =
  | { action: 'add'; name: string; address: string; driver: 'everywhere' | 'raw' }
  | { action: 'remove' | 'enable' | 'disable' | 'set_default' | 'cancel_jobs'; name: string }
  | { action: 'set_paper'; name: string; paper: string }
  | { action: 'discover' }

/** A printer that CUPS finds on the network or at the device. */
export interface FoundPrinter {
  address: string
  name: string
}

const mostQueues = 50
const mostFound = 100
/** Milliseconds: CUPS listens for printers of the network for ten seconds and more. */
const discoveryPatience = 60_000

export function cupsQueues(config: CupsConfig = {}) {
  const { ask } = cupsCommands(config)
  const slow = cupsCommands({ ...config, patience: discoveryPatience })

  async function run(command: string, args: readonly string[], signal: AbortSignal): Promise<void> {
    const { code, stderr } = await ask(command, args, signal)
    if (code !== 0) throw new PrinterRefused(`CUPS refuses: ${plain(stderr.split('\n')[0] ?? '').replace(/^\w+: /, '') || `code ${code}`}`)
  }

  return {
    /** Throws `PrinterUnavailable` where CUPS does not run. */
    async list(signal: AbortSignal): Promise<CupsQueue[]> {
      if (!(await ask('lpstat', ['-r'], signal)).stdout.startsWith('scheduler is running'))
        throw new PrinterUnavailable('CUPS does not answer')
      const [names, states, accepts, addresses, ahead, jobs] = await Promise.all(
        [['-e'], ['-p'], ['-a'], ['-v'], ['-d'], ['-o']].map(async args => (await ask('lpstat', args, signal)).stdout),
      )
      const chosen = /^system default destination: (\S+)$/m.exec(ahead ?? '')?.[1]
      const accepting = new Set([...(accepts ?? '').matchAll(/^(\S+) accepting requests/gm)].map(([, name]) => name))
      const addressOf = new Map([...(addresses ?? '').matchAll(/^device for (\S+): (\S+)/gm)].map(([, name, address]) => [name, address]))
      const waiting = [...(jobs ?? '').matchAll(/^(\S+)-\d+\s/gm)].map(([, name]) => name)
      const stateOf = new Map(
        (states ?? '').split(/\n(?=printer )/).map(part => {
          const [, name, words = ''] = /^printer (\S+) (.*)/.exec(part) ?? []
          const state = words.startsWith('disabled') ? 'stopped' : words.startsWith('now printing') ? 'prints' : 'idle'
          return [name, { state, message: state === 'stopped' ? plain(part.split('\n')[1] ?? '') : '' }] as const
        }),
      )
      return (names ?? '')
        .split('\n')
        .filter(isQueueName)
        .slice(0, mostQueues)
        .map(name => ({
          name: name.slice(0, 60),
          address: withoutLogin(addressOf.get(name) ?? ''),
          state: stateOf.get(name)?.state ?? 'idle',
          accepts: accepting.has(name),
          is_default: name === chosen,
          jobs: waiting.filter(one => one === name).length,
          message: stateOf.get(name)?.message ?? '',
        }))
    },

    /** Does what a person asked; answers what was found, for `discover`. Throws `PrinterRefused` with the words of CUPS. */
    async command(command: CupsCommand, signal: AbortSignal): Promise<FoundPrinter[] | null> {
      if ('name' in command && !queueName.test(command.name)) throw new PrinterRefused('CUPS takes no such name')
      switch (command.action) {
        case 'add': {
          const { name, address, driver } = command
          if (printerAddressProblem(address)) throw new PrinterRefused('Printers are added from this device and its own network only')
          // The model is asked of the printer itself, which may take long.
          const { code, stderr } = await slow.ask('lpadmin', ['-p', name, '-E', '-v', address, '-m', driver], signal)
          if (code !== 0) throw new PrinterRefused(`CUPS refuses: ${plain(lastLine(stderr)).replace(/^lpadmin: /, '') || `code ${code}`}`)
          return null
        }
        case 'remove':
          await run('lpadmin', ['-x', command.name], signal)
          return null
        case 'enable':
          await run('cupsenable', [command.name], signal)
          await run('cupsaccept', [command.name], signal)
          return null
        case 'disable':
          await run('cupsdisable', [command.name], signal)
          return null
        case 'set_default':
          await run('lpadmin', ['-d', command.name], signal)
          return null
        case 'set_paper':
          if (!/^[\w.]{1,100}$/.test(command.paper)) throw new PrinterRefused('CUPS takes no such name')
          await run('lpadmin', ['-p', command.name, '-o', `PageSize=${command.paper}`], signal)
          return null
        case 'cancel_jobs':
          await run('cancel', ['-a', command.name], signal)
          return null
        case 'discover':
          return found((await slow.ask('lpinfo', ['-l', '-v'], signal)).stdout)
      }
    },
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

/** An address without the login that somebody wrote into it at the device. */
const withoutLogin = (address: string): string => address.replace(/^([a-z]+:\/\/)[^@/]*@/, '$1').slice(0, 300)

/** The answer of `lpinfo -l -v`: indented lines for each device, its address first. */
function found(text: string): FoundPrinter[] {
  return text
    .split(/\n(?=Device: )/)
    .map(part => ({
      address: /^Device: uri = (\S+)$/m.exec(part)?.[1] ?? '',
      name: plain(/^\s+info = (.*)$/m.exec(part)?.[1] ?? ''),
    }))
    .filter(({ address }) => /:\/\/./.test(address) && printerAddressProblem(address) === undefined)
    .slice(0, mostFound)
}
