/** Print agents in the database, and the jobs that wait for their printers. */
import type { Db } from '#platform/database/database.ts'
import type { PrintAgent } from './print-agents.schemas.ts'

/** Milliseconds without a poll after which an agent counts as silent: longer than a poll and a reconnect. */
export const silentAfter = 60_000

export async function agentsOf(db: Db, company_id: number, now: Date): Promise<PrintAgent[]> {
  const agents = await db
    .selectFrom('print_agents')
    .select(['id', 'name', 'version', 'last_seen_at'])
    .where('company_id', '=', company_id)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute()
  const printers = await db
    .selectFrom('printers')
    .select(['id', 'name', 'state', 'agent_id'])
    .where('company_id', '=', company_id)
    .where('kind', '=', 'agent')
    .where('state', '<>', 'gone')
    .orderBy('name')
    .execute()
  return agents.map(agent => ({
    ...agent,
    state: now.getTime() - Date.parse(agent.last_seen_at) < silentAfter ? 'connected' : 'silent',
    printers: printers
      .filter(({ agent_id }) => agent_id === agent.id)
      .map(({ id, name, state }) => ({ id, name, state: state === 'online' ? 'online' : 'offline' })),
  }))
}

export const agentNames = (db: Db, company_id: number) =>
  db.selectFrom('print_agents').select('name').where('company_id', '=', company_id).where('removed_at', 'is', null).execute()

/** Jobs of an agent's printers that can be claimed: new ones, and those whose agent died before it began to print. */
export const claimableJobs = (db: Db, agent_id: number, now: Date, most: number) =>
  db
    .selectFrom('print_jobs as j')
    .innerJoin('printers as p', join => join.onRef('p.operator_id', '=', 'j.operator_id').onRef('p.id', '=', 'j.printer_id'))
    .select(['j.id'])
    .where('p.agent_id', '=', agent_id)
    .where('p.state', '=', 'online')
    .where('j.state', 'in', ['queued', 'sending'])
    .where('j.in_doubt', '=', false)
    .where('j.expires_at', '>', now.toISOString())
    .where(eb => eb.or([eb('j.leased_until', 'is', null), eb('j.leased_until', '<', now.toISOString())]))
    .orderBy('j.id')
    .limit(most)
    .execute()
