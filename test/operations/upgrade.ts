/** The upgrade from release 0.1.0: its program makes data, the new one starts on them and shows them. */
import { cpSync } from 'node:fs'
import { check, equal, execute, NotTried, type Run, root } from './harness.ts'
import { ask, createOrder, demoAdmin, done, launchPakhus, localhost, newKey, signIn, startPakhus } from './pakhus.ts'

const release = 'v0.1.0'

export const upgrade = {
  name: 'upgrade',
  async run(run: Run): Promise<void> {
    const old = run.path('old')
    const data = run.path('data')
    try {
      await execute('git', ['rev-parse', '--verify', '--quiet', `${release}^{commit}`])
    } catch {
      throw new NotTried(`the tag ${release} is not in this checkout`)
    }
    await run.step(`release ${release} is installed as its lock file says`, async () => {
      await execute('git', ['worktree', 'add', '--detach', old, release])
      run.after(() => execute('git', ['worktree', 'remove', '--force', old]))
      await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: old, env: process.env })
    })
    await run.step('it makes the demo and takes an order', async () => {
      const server = await startPakhus(run, { DATA_DIR: data, DEMO: '1' }, { code: old, command: ['src/main.ts'] })
      const at = localhost(server.port, 'demo')
      const token = await signIn(at, 'demo', demoAdmin)
      await createOrder(at, await newKey(at, token, 'demo'), 'OLD-1', 'demo')
      await server.end()
    })
    await run.step('its stopped data folder is copied, which is its backup', () =>
      cpSync(data, run.path('copy'), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }),
    )
    await run.step('the new version starts on it, migrates and shows the order', async () => {
      const server = await startPakhus(run, { DATA_DIR: data, DEMO: '1' })
      const at = localhost(server.port, 'demo')
      const token = await signIn(at, 'demo', demoAdmin)
      check(
        JSON.stringify(await done(at, 'GET /api/demo/orders/search/?query=OLD-1', { token })).includes('"OLD-1"'),
        'The order is missing',
      )
      await createOrder(at, await newKey(at, token, 'demo'), 'NEW-1', 'demo')
      equal((await ask(at, 'GET /readyz')).status, 200, 'readyz')
      await server.end()
      equal(server.child.exitCode, 0, 'exit code')
    })
    await run.step('a migrated file that was changed stops the start with a sentence', async () => {
      const code = run.path('changed')
      for (const name of ['src', 'migrations', 'translations', 'package.json', 'node_modules']) {
        if (name === 'node_modules') await execute('ln', ['-s', `${root}/node_modules`, `${code}/node_modules`])
        else cpSync(`${root}/${name}`, `${code}/${name}`, { recursive: true })
      }
      await execute('/bin/sh', ['-c', `printf -- '-- changed\\n' >> ${code}/migrations/$(ls ${code}/migrations | tail -1)`])
      const server = launchPakhus(run, { DATA_DIR: data, DEMO: '1' }, { code })
      await server.says(/"msg":"Migration [^"]* was changed after it had been applied/)
    })
  },
}
