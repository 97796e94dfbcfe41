/** The first minute: demo data or a one-time link on an empty database, and what to print once the server listens. */

import { demoLogins, demoPins, hasCompanies, hasDemo, seedDemo } from '#app/demo/demo.ts'
import { linkFile, openSetup } from '#features/company/setup/setup.server.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { App } from './create-app.ts'

/** Shows the published logins at the sign-in while the demo data exist; returns whether they do. */
export async function showDemoLogins(services: Services): Promise<boolean> {
  const demo = await hasDemo(services.database)
  if (demo) services.demo.logins = demoLogins
  return demo
}

export async function welcome({ services }: App): Promise<{ host: string; text: (port: number) => Promise<string> }> {
  const { config, database } = services
  const empty = !(await hasCompanies(database))
  if (empty && config.demo) await seedDemo(services)
  const setup = await openSetup(services)
  const demo = await showDemoLogins(services)
  // Published passwords must not be reachable from other machines, unless somebody says so by name.
  const host = config.host ?? (demo ? '127.0.0.1' : '0.0.0.0')
  return {
    host,
    async text(port) {
      const at = (company: string) =>
        config.public_url?.replace('{company}', company) ?? `http://${company}.${config.base_domain}${port === 80 ? '' : `:${port}`}`
      const lines = ['', 'Pakhus is ready.', '']
      if (demo) {
        lines.push(
          `  ${at('demo')}        the warehouse (main company)`,
          `  ${at('demo-north')}  a shop`,
          `  ${at('demo-home')}   another shop`,
          '',
        )
        lines.push('  Logins of the demo (name · password):')
        for (const { login, password, role, company } of demoLogins)
          lines.push(`    ${login.padEnd(11)} ${password.padEnd(29)} ${role}${company === 'demo' ? '' : ` at ${company}`}`)
        lines.push('', `  Packing PIN ${demoPins.packing} · personal PIN of the lead ${demoPins.lead}`)
        if (host !== '127.0.0.1') lines.push('', '  Beware: these logins are published, and this server listens beyond this machine.')
      } else if (setup)
        lines.push(
          '  Nothing is set up yet. Open this link within a day; it works once:',
          '',
          `    ${await setup(port)}`,
          '',
          `  It also lies in ${linkFile(config)}, for this user alone.`,
        )
      else lines.push(`  Listening on ${host}:${port}; companies answer at ${at('<company>')}`)
      lines.push('', '  Stop with Ctrl-C.', '')
      return lines.join('\n')
    },
  }
}
