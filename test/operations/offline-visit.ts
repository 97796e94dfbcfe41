/** Run without a network by the part `artefact`: starts the program of a folder, sets it up, signs in, and looks whether the screens are there. */
import { check, equal, freePort, Run } from './harness.ts'
import { admin, ask, done, launchPakhus, localhost, setUp, signIn } from './pakhus.ts'

const [code = '', command = '', env = '{}'] = process.argv.slice(2)
const run = new Run()
try {
  const port = await freePort()
  const server = launchPakhus(run, { ...JSON.parse(env), PORT: String(port) }, { code, command: command.split(' ') })
  await server.says(/Pakhus is ready/)
  await setUp(server.output, localhost(port, ''))
  const token = await signIn(localhost(port))
  const libraries = await done<{ name: string }[]>(localhost(port), 'GET /api/north/about/libraries', { token })
  for (const name of ['fastify', 'react'])
    check(
      libraries.some(one => one.name === name),
      `${name} is not among the libraries`,
    )
  for (const path of ['/', '/docs/', '/translations/de_DE.json', '/readyz'])
    equal((await ask(localhost(port), `GET ${path}`)).status, 200, path)
  const page = await ask(localhost(port), 'GET /')
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(String(page.body))?.[1]
  equal((await ask(localhost(port), `GET ${script}`)).status, 200, 'the script of the screens')
  equal((await ask(localhost(port), 'POST /api/north/session', { body: { ...admin, password: 'wrong' } })).status, 401, 'a wrong password')
} finally {
  await run.end()
}
