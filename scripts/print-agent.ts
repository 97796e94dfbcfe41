/**
 * `npm run print-agent -- --server https://demo.pakhus.example.com`: prints in a warehouse for a server elsewhere. The key comes from
 * PRINT_AGENT_KEY or `--key`, printers from CUPS, `--raw NAME=HOST[:PORT]` and the file of `--config`.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { AgentRefused, AgentSettings, runPrintAgent } from '../src/app/print-agent.ts'

const usage = `npm run print-agent -- --server ADDRESS [--company CODE] [--name NAME] [--raw NAME=HOST[:PORT]]… [--no-cups] [--config FILE] [--key KEY]

The key is made under Settings → Printers and station, and better given as PRINT_AGENT_KEY.
FILE holds the same as JSON: { "server": …, "company": …, "name": …, "cups": true, "raw": [{ "name": …, "host": …, "port": 9100 }] }`

const settings = settingsOf(process.argv.slice(2))
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())
try {
  const log = (text: string) => console.log(`${new Date().toISOString()} ${text}`)
  await runPrintAgent(settings.settings, settings.key, { signal: ending.signal, log })
} catch (error) {
  console.error(error instanceof AgentRefused ? error.message : error)
  process.exitCode = 1
}

function settingsOf(words: string[]): { settings: AgentSettings; key: string } {
  try {
    const { values } = parseArgs({
      args: words,
      allowNegative: true,
      options: {
        server: { type: 'string' },
        company: { type: 'string' },
        name: { type: 'string' },
        key: { type: 'string' },
        config: { type: 'string' },
        cups: { type: 'boolean' },
        raw: { type: 'string', multiple: true },
      },
    })
    const { config, key = process.env.PRINT_AGENT_KEY, raw, ...options } = values
    const file = config === undefined ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(config, 'utf8')))
    const read = AgentSettings.safeParse({ ...file, ...options, ...(raw && { raw: raw.map(rawPrinterOf) }) })
    if (!read.success) throw new Error(read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
    if (!key) throw new Error('There is no key: set PRINT_AGENT_KEY')
    return { settings: read.data, key }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(1)
  }
}

function rawPrinterOf(text: string): { name: string; host: string; port: number } {
  const [, name, host, port] = /^([^=]+)=(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text) ?? []
  if (!name || !host) throw new Error(`--raw ${text}: write NAME=HOST or NAME=HOST:PORT`)
  return { name, host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? 9100) }
}
