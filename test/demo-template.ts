/** The demo's database and files, built once for a run of tests: each file that works in the demo copies them in a fraction of the time. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { seedDemo } from '../src/app/demo/demo.ts'
import { openTestApp, type Template } from './test-app.ts'

const database = 'template_demo'

export async function demoTemplate(): Promise<Template> {
  const client = new pg.Client({ connectionString: inject('database') })
  await client.connect()
  try {
    // Two processes run tests: the second waits for the first, as long as that takes, and finds it built.
    await client.query('set lock_timeout = 0')
    await client.query('set statement_timeout = 0')
    await client.query("select pg_advisory_lock(hashtext('template_demo'))")
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const template = { database, files: join(dirname(rows[0]?.data_directory ?? ''), 'demo-files') }
    const { rows: built } = await client.query('select from pg_database where datname = $1', [database])
    if (built.length === 0 || !existsSync(template.files)) {
      const testApp = await openTestApp()
      await seedDemo(testApp.services)
      await testApp.closeAs(template)
    }
    return template
  } finally {
    await client.end()
  }
}
