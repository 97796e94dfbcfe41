/** Watching it: promtool accepts the metrics, the rules and the printed configuration, and Prometheus reads them from a running server. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blockOf, replaced } from './document.ts'
import { check, equal, execute, freePort, needPrograms, type Run, root, shell, until } from './harness.ts'
import { ask, demoAdmin, localhost, signIn, startPakhus } from './pakhus.ts'

const token = 'a token for Prometheus'

export const metrics = {
  name: 'metrics',
  async run(run: Run): Promise<void> {
    await needPrograms({ '/usr/bin/promtool': 'prometheus' })
    const rules = join(root, 'docs/monitoring/alerts.yaml')
    await run.step('promtool accepts the alert rules', () => execute('promtool', ['check', 'rules', rules]))
    const server = await startPakhus(run, { DATA_DIR: run.path('data'), DEMO: '1', METRICS_TOKEN: token })
    await signIn(localhost(server.port, 'demo'), 'demo', demoAdmin)
    await run.step('promtool accepts the metrics', async () => {
      equal((await ask(localhost(server.port, 'demo'), 'GET /metrics')).status, 401, 'without the token')
      const { status, body } = await ask(localhost(server.port, 'demo'), 'GET /metrics', { token: `Bearer ${token}` })
      equal(status, 200, 'with the token')
      writeFileSync(run.path('metrics.txt'), String(body))
      await shell(`promtool check metrics < ${run.path('metrics.txt')}`)
    })
    await run.step('each metric of the rules and of the dashboard is one that the server shows', async () => {
      const { body } = await ask(localhost(server.port, 'demo'), 'GET /metrics', { token: `Bearer ${token}` })
      const shown = new Set([...String(body).matchAll(/^# TYPE (\w+)/gm)].map(match => match[1]))
      const texts = await shell(`cat ${rules} ${join(root, 'docs/monitoring/dashboard.json')}`)
      const asked = new Set([...texts.matchAll(/\bpakhus_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')))
      check(asked.size > 10, 'There are no metrics in the rules')
      equal(
        [...asked].filter(name => !shown.has(name) && !shown.has(`${name}_count`)),
        [],
        'unknown metrics',
      )
    })
    await run.step('Prometheus reads them with the printed configuration', async () => {
      const folder = run.path('prometheus')
      mkdirSync(folder)
      cpSync(rules, join(folder, 'alerts.yaml'))
      const printed = replaced(blockOf('Watching it', 'yaml'), {
        'the token of METRICS_TOKEN': token,
        '127.0.0.1:8080': `127.0.0.1:${server.port}`,
      })
      writeFileSync(join(folder, 'prometheus.yml'), `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${printed}`)
      await execute('promtool', ['check', 'config', join(folder, 'prometheus.yml')])
      const port = await freePort()
      const address = `127.0.0.1:${port}`
      const words = [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
      ]
      const program = run.start('/usr/bin/prometheus', words)
      const question = encodeURIComponent('up{job="pakhus"} == 1 and on() pakhus_streams_open >= 0')
      await until('Prometheus to reach the server', async () => {
        if (program.isOver) throw new Error(program.output.slice(-1000))
        const answer = await ask({ port, host: address }, `GET /api/v1/query?query=${question}`).catch(() => undefined)
        return JSON.stringify(answer?.body ?? '').includes('"value"')
      })
      const rulesSay = await until('all rules to be evaluated', async () => {
        const { body } = await ask({ port, host: address }, 'GET /api/v1/rules')
        const text = JSON.stringify(body)
        return text.includes('"health":"unknown"') ? undefined : text
      })
      check(rulesSay.includes('"health":"ok"') && !rulesSay.includes('"health":"err"'), `A rule fails: ${rulesSay.slice(0, 2_000)}`)
      await program.end()
    })
    await server.end()
  },
}
