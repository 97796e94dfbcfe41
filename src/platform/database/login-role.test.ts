/** The connections for requests cannot become a superuser. */
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { openTestApp } from '#test/test-app.ts'
import { requestUrl } from './login-role.ts'

it('signs in the connections for requests as a role that cannot become a superuser or the owner of the tables', async () => {
  const testApp = await openTestApp()
  const client = await testApp.services.database.pool.connect()
  try {
    await client.query('set role none')
    const { rows } = await client.query(`
      select session_user::text login, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb strong,
        pg_has_role(session_user, (select relowner from pg_class where oid = 'orders'::regclass), 'member') owner
      from pg_roles where rolname = session_user`)
    expect(rows).toEqual([{ login: 'pakhus_login', strong: false, owner: false }])
    await expect(client.query('set role postgres')).rejects.toThrow('permission denied')
    await expect(client.query('select count(*) from orders')).rejects.toThrow('permission denied')
  } finally {
    client.release(true)
    await testApp.close()
  }
})

it('keeps a login that is no superuser, and makes the role once where several servers start', async () => {
  const url = inject('database')
  const lesser = await Promise.all(Array.from({ length: 8 }, () => requestUrl(url)))
  expect(new Set(lesser).size).toBe(1)
  expect(await requestUrl(lesser[0] as string)).toBe(lesser[0])
  const client = new pg.Client({ connectionString: lesser[0] })
  await client.connect()
  await client.end()
})
