/** The role under which the server's connections for requests sign in: one that is no superuser. */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { textIn } from '#domain/thrown.ts'

const role = 'pakhus_login'
const mostAttempts = 10

/**
 * The connection string for requests. A login that is a superuser makes the role `pakhus_login`, which can only become `pakhus_app` or
 * `pakhus_system`; any other login is used as it is. What gets past the server's own checks is then still bound by row-level security:
 * no statement can become a superuser.
 *
 * The password follows from the superuser's, so that all servers of a cluster know it and none has to store it.
 */
export async function requestUrl(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ superuser: boolean }>('select rolsuper superuser from pg_roles where rolname = session_user')
    if (!rows[0]?.superuser) return url
    const lesser = withLogin(url, createHmac('sha256', new URL(url).password).update(role).digest('base64url'))
    for (let attempt = 1; !(await canSignIn(lesser)); attempt++) {
      if (attempt > mostAttempts)
        throw new Error(
          `The login of DATABASE_URL is a superuser, and the database does not let ${role} sign in. Give DATABASE_URL a login that owns the database and is no superuser.`,
        )
      await makeRole(client, new URL(lesser).password)
    }
    return lesser
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Several servers may start at once, on several databases of one cluster: who comes second fails and looks again. */
async function makeRole(client: pg.Client, password: string): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
    end $$`)
    await client.query(
      `alter role ${role} login noinherit nosuperuser nocreatedb nocreaterole nobypassrls password ${client.escapeLiteral(password)}`,
    )
    await client.query(`grant pakhus_app, pakhus_system to ${role}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    // duplicate_object, unique_violation, and "tuple concurrently updated", which has no code of its own.
    if (!['42710', '23505', 'XX000'].includes(textIn(error, 'code') ?? '')) throw error
    await setTimeout(100)
  }
}

function withLogin(url: string, password: string): string {
  const lesser = new URL(url)
  lesser.username = role
  lesser.password = password
  return lesser.href
}

async function canSignIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    return true
  } catch (error) {
    // 28: the database refuses the login; anything else is no answer to the question.
    if (textIn(error, 'code')?.startsWith('28')) return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
