/** A start that fails says why in one line of JSON, as the rest of the log. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('names a wrong setting in one line of JSON, and ends with an error', async () => {
  const program = fileURLToPath(new URL('main.ts', import.meta.url))
  const server = spawn(process.execPath, [program], { env: { ...process.env, PORT: 'eighty' }, stdio: ['ignore', 'ignore', 'pipe'] })
  const parts: string[] = []
  server.stderr.on('data', part => parts.push(String(part)))
  const [code] = await once(server, 'close')
  expect(code).toBe(1)
  const line = JSON.parse(parts.join('').trim())
  expect(line).toMatchObject({ level: 60, msg: expect.stringContaining('PORT') })
  expect(Date.parse(line.time)).toBeGreaterThan(0)
})
