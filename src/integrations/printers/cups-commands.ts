/** Runs the commands of the CUPS of this machine: without a shell, without this program's environment, and within a time limit. */
import { execFile } from 'node:child_process'
import { PrinterRefused, PrinterUnavailable } from './printer.ts'

export interface CupsConfig {
  /** Folders of the commands, as in the variable PATH. */
  path?: string
  /** The `host:port` of another CUPS server, as in the variable CUPS_SERVER. */
  server?: string
  /** Milliseconds that one command may take. */
  patience?: number
}

interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** The command was broken off: by its time limit, by the length of its answer, or because the request has ended. */
export class Interrupted extends Error {}

const longestOutput = 1024 * 1024

export function cupsCommands({ path = process.env.PATH ?? '', server = process.env.CUPS_SERVER, patience = 8_000 }: CupsConfig) {
  /** Throws `Interrupted`, `PrinterRefused` where the command does not exist, or `PrinterUnavailable` before it was begun. */
  async function run(command: string, args: readonly string[], signal: AbortSignal, input?: Uint8Array): Promise<Finished> {
    if (signal.aborted) throw new PrinterUnavailable('CUPS was not asked: the time had run out')
    // Only what the commands need: settings of the server, such as its keys, are none of their business. LC_ALL fixes the words of the answers.
    const env = { PATH: path, LC_ALL: 'C', ...(server && { CUPS_SERVER: server }) }
    return new Promise((resolve, reject) => {
      const options = { env, signal, timeout: patience, killSignal: 'SIGKILL', maxBuffer: longestOutput, encoding: 'utf8' } as const
      const child = execFile(command, args, options, (error, stdout, stderr) => {
        if (!error) return resolve({ code: 0, stdout, stderr })
        if (error.code === 'ENOENT' || error.code === 'EACCES') return reject(new PrinterRefused('CUPS is not installed on this computer'))
        if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr })
        reject(new Interrupted())
      })
      // A command that ends before it has read everything closes its input.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input ?? '')
    })
  }

  /** For commands that print nothing: whatever goes wrong, asking again is safe. */
  async function ask(command: string, args: readonly string[], signal: AbortSignal): Promise<Finished> {
    try {
      return await run(command, args, signal)
    } catch (error) {
      if (error instanceof Interrupted) throw new PrinterUnavailable('CUPS did not answer in time')
      throw error
    }
  }

  return { run, ask }
}

/** CUPS permits every printable character except space, slash and number sign. A hyphen at the start would be read as an option. */
export const isQueueName = (name: string): boolean => /^[^\s/#-][^\s/#\p{C}]{0,126}$/u.test(name)

/** Words of a command for people. */
export const plain = (text: string): string => text.replace(/\p{C}/gu, ' ').trim().slice(0, 200)
