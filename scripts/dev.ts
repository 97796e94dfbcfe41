/** `npm run dev`: the server, restarted at every change, and the screens with live reload beside it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '..')
const port = process.env.PORT ?? '8080'

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/app/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: port },
})
// vite.config.ts passes the calls on to it, with the host name as it came, whose first label is the company.
process.env.API_ORIGIN = `http://127.0.0.1:${port}`
const screens = await createServer({ root, configFile: join(root, 'vite.config.ts') })
await screens.listen()
console.log(`Screens with live reload: http://demo.localhost:${screens.config.server.port}`)

let ending = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
server.once('exit', () => void end())

/** The signal has reached the server too, being of our process group; it takes its time to stop in order. */
async function end() {
  if (ending) return
  ending = true
  await screens.close()
  if (server.exitCode === null && server.signalCode === null) await new Promise(ended => server.once('exit', ended))
  process.exit()
}
