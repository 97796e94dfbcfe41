/** How much one company may have, beside what it uses: nearly reached limits are marked. */
import { Stack } from '@mantine/core'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes, number } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { companyLimits } from './company-limits.contract.ts'
import { CompanyLimitsBody } from './company-limits.schemas.ts'

type Limits = Received<typeof companyLimits.get>
type Name = keyof Limits

const limitNames = ['users', 'webhooks', 'imports', 'requests', 'storage'] as const satisfies readonly Name[]

/** Share from which a limit counts as nearly reached. */
const nearly = 0.8

export function CompanyLimits({ company_id }: { company_id: number }) {
  const t = useT()
  const limits = useCall(companyLimits.get, { company_id }, { live: ['company', 'user', 'job'] })
  return (
    <SettingsSection
      title={t('Limits')}
      help={t('How much this company may have. Without a number there is no limit. What it has already stays.')}
    >
      <QueryState of={limits} shape="rows">
        {row => (
          // What is used changes while someone writes: only other limits begin the form anew.
          <LimitsForm key={limitNames.map(name => row[name].limit).join(' ')} company_id={company_id} row={row} />
        )}
      </QueryState>
    </SettingsSection>
  )
}

function LimitsForm({ company_id, row }: { company_id: number; row: Limits }) {
  const t = useT()
  const initial: Record<Name, number | null> = {
    users: row.users.limit,
    webhooks: row.webhooks.limit,
    imports: row.imports.limit,
    requests: row.requests.limit,
    storage: row.storage.limit,
  }
  const edit = useEdit({
    schema: CompanyLimitsBody,
    initial,
    save: body => send(companyLimits.set, { company_id, body }),
    refreshes: [companyLimits.get],
    said: t('The limits are saved'),
  })
  const words: Record<Name, string> = {
    users: t('Users'),
    webhooks: t('Webhooks'),
    imports: t('Imports in 24 hours'),
    requests: t('Requests of its keys in a minute'),
    storage: t('Files in GB'),
  }
  /** What goes on where the limit is reached. */
  const help: Partial<Record<Name, string>> = {
    requests: t('Print agents and recorders are not limited.'),
    storage: t('When it is full, uploads are refused. Packing goes on: labels, papers, packing photos and videos are stored.'),
  }
  const field = (name: Name) => {
    const { limit, used } = row[name]
    const { value, onChange, ...props } = edit.of(name)
    return (
      <Stack gap={6} key={name}>
        <WholeNumberInput
          label={words[name]}
          description={[
            name === 'storage'
              ? t('{{size}} used now', { size: bytes(used * 1_000_000_000) })
              : t('{{count}} used now', { count: used, formatted: number(used) }),
            help[name],
          ]
            .filter(Boolean)
            .join('. ')}
          min={0}
          max={100_000}
          placeholder={t('No limit')}
          {...props}
          value={value ?? ''}
          onChange={next => onChange(next === '' ? null : next)}
        />
        {limit === null || used < limit * nearly ? null : (
          <div>
            <StateBadge tone={used >= limit ? 'stop' : 'soon'}>{used >= limit ? t('Limit reached') : t('Nearly reached')}</StateBadge>
          </div>
        )}
      </Stack>
    )
  }
  return (
    <Form edit={edit} action={t('Save limits')}>
      {limitNames.map(field)}
    </Form>
  )
}
