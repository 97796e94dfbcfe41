/** The commands for people who are locked out, beside the running server, as printed. */
import { blockOf, replaced } from './document.ts'
import { check, equal, execute, type Run, root, shell } from './harness.ts'
import { ask, demoAdmin, localhost, plainEnv, signIn, startPakhus } from './pakhus.ts'

export const lockedOut = {
  name: 'locked-out',
  async run(run: Run): Promise<void> {
    const env = { ...plainEnv, DATA_DIR: run.path('data') }
    const server = await startPakhus(run, { DATA_DIR: run.path('data'), DEMO: '1' })
    const at = localhost(server.port, 'demo')
    const token = await signIn(at, 'demo', demoAdmin)
    const lines = replaced(blockOf('Locked out', 'sh'), { ' mette': ' packer' }).trim().split('\n')
    for (const line of lines)
      await run.step(line.replace(/ *#.*/, ''), async () => {
        const words = line.split(' ')
        // There is no task and no job of this number: a sentence says so.
        const missing = ['4711', '12'].some(number => words.includes(number))
        const said = await shell(line, { cwd: root, env }).catch(error => {
          if (!missing) throw error
          return String(error.message)
        })
        check(said.trim() !== '' && !/^\s+at /m.test(said), said)
        if (line.includes('user reset')) {
          const password = /\S{12,}\s*$/m.exec(said)?.[0]
          check(password !== undefined, said)
        }
      })
    await run.step('the sessions of the company have ended or go on as the commands said', async () => {
      equal((await ask(at, 'GET /api/demo/about', { token })).status, 200, 'the session of the admin, which no command named')
    })
    await run.step('the list of erasures, for the backup', () =>
      execute('npm', ['run', '-s', 'admin', '--', 'erasure', 'list'], { cwd: root, env }),
    )
    await server.end()
  },
}
