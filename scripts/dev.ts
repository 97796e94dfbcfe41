/** `npm run dev`: the server, restarted at every change, and the screens with live reload beside it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '..')
const serverPort = process.env.PORT ?? '8080'
const screensPort = 5173

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: serverPort },
})
const screens = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: {
    port: screensPort,
    // The first label of the host name is the company: the name is passed through as it came.
    allowedHosts: ['.localhost'],
    proxy: {
      '^/(api|api_server|conf\\.json|translations|openapi\\.json|docs|healthz|readyz|metrics)(/|\\?|$)': {
        target: `http://127.0.0.1:${serverPort}`,
        changeOrigin: false,
      },
    },
  },
})
await screens.listen()
console.log(`Screens with live reload: http://demo.localhost:${screens.config.server.port}`)

let ending = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
server.once('exit', () => void end())

/** The signal has reached the server too, being of our process group; it takes its time to stop in order. */
async function end() {
  if (ending) return
  ending = true
  await screens.close()
  if (server.exitCode === null && server.signalCode === null) await new Promise(ended => server.once('exit', ended))
  process.exit()
}
