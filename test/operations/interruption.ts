/** A restore that is killed: the database is empty or as it was, and the next restore works. */
import { mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { backupTo } from './backup.ts'
import { check, equal, type Run, root } from './harness.ts'
import { plainEnv, startPakhus } from './pakhus.ts'
import { fingerprint, query, startDebianPostgres } from './postgres.ts'

export const interruption = {
  name: 'interruption',
  async run(run: Run): Promise<void> {
    mkdirSync(run.path('backups'))
    const source = await startDebianPostgres(run, 'source')
    const target = await startDebianPostgres(run, 'target')
    const holdings = (url: string) => fingerprint(url.replace(/postgres$/, 'pakhus'))
    await run.step('a backup to restore', async () => {
      const server = await startPakhus(run, { DATABASE_URL: source.url, DATA_DIR: run.path('source-data'), DEMO: '1' })
      await server.end()
      await backupTo(run, 'one.backup', { DATABASE_URL: source.url, DATA_DIR: run.path('source-data') })
    })
    const restore = (...words: string[]) =>
      run.start(process.execPath, ['scripts/restore.ts', `${run.path('backups')}/one.backup`, '--erasures', 'none', ...words], {
        cwd: root,
        env: { ...plainEnv, DATABASE_URL: target.url, DATA_DIR: run.path('target-data'), BACKUP_PASSPHRASE: 'at least twelve characters' },
      })
    /** The rows of companies; none where there is no such table. */
    const companies = async () => {
      const url = target.superUrl.replace(/postgres$/, 'pakhus')
      const [row] = await query(url, `select to_regclass('public.companies') is not null present`)
      return row?.present ? (await query(url, 'select from companies')).length : 0
    }
    const moments: [string, RegExp][] = [
      ['while it makes the tables', /Creating the tables/],
      ['while it copies the rows', /: \d+ rows/],
      ['while it compares the rows', /Comparing the rows/],
    ]
    for (const [when, sign] of moments)
      await run.step(`killed ${when}, it leaves an empty database`, async () => {
        const program = restore()
        await program.says(sign)
        await program.end('SIGKILL')
        await pause(300)
        equal(await companies(), 0, 'companies')
      })
    const whole = await holdings(source.superUrl)
    await run.step('the next restore works', async () => {
      await restore().succeeds()
      equal(await holdings(target.superUrl), whole, 'rows')
    })
    await run.step('killed while it replaces, it leaves an empty database or the old one, and the next one works', async () => {
      const program = restore('--replace')
      await program.says(/: \d+ rows/)
      await program.end('SIGKILL')
      await pause(300)
      const left = await companies()
      check(left === 0 || JSON.stringify(await holdings(target.superUrl)) === JSON.stringify(whole), 'Something between the two is left')
      await restore('--replace').succeeds()
      equal(await holdings(target.superUrl), whole, 'rows')
    })
  },
}
