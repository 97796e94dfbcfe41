/** All companies of the operator: who they are, and the values that they follow unless they have their own. */
import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { number } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { company } from './companies.contract.ts'
import type { OperatorDefault } from './companies.schemas.ts'
import { FurtherCompanies } from './FurtherCompanies.tsx'
import { settingField } from './setting-fields.rules.ts'
import { choicesOf, settingValue } from './setting-values.client.ts'

export function GlobalConfigScreen() {
  const t = useT()
  const admin = useIsAllowed(access.admin)
  const defaults = useCall(company.defaults, {}, { live: ['company'] })
  const [edited, setEdited] = useState<OperatorDefault | null>(null)
  const follow = useSend(company.follow, { refreshes: [company.defaults], said: t('The value for all companies counts there now') })
  return (
    <Page title={t('All companies')} narrow>
      {admin ? <FurtherCompanies /> : null}
      <SettingsSection
        title={t('Values for all companies')}
        help={t('A company follows them until it saves a value of its own on its settings pages.')}
      >
        <QueryState of={defaults} shape="rows">
          {rows => (
            <Table>
              <Table.Tbody>
                {rows.map(row => (
                  <Table.Tr key={row.name}>
                    <Table.Td>
                      <Text size="sm" fw={500}>
                        {labelOf(t, row)}
                      </Text>
                      <Text size="sm">
                        {settingValue(row.name, row.value ?? row.product)}
                        {row.value === null ? ` (${t('the standard value')})` : ''}
                      </Text>
                      {row.own.map(one => (
                        <Group key={one.id} gap="xs">
                          <Text size="sm" c="dimmed">
                            {t('{{company}} has its own: {{value}}', { company: one.name, value: settingValue(row.name, one.value) })}
                          </Text>
                          <Button
                            size="compact-xs"
                            variant="subtle"
                            aria-label={t('{{company}}: use the value for all, {{setting}}', {
                              company: one.name,
                              setting: labelOf(t, row),
                            })}
                            loading={follow.isPending && follow.variables?.company_id === one.id}
                            onClick={() => follow.mutate({ company_id: one.id, body: { name: row.name } })}
                          >
                            {t('Use the value for all')}
                          </Button>
                        </Group>
                      ))}
                    </Table.Td>
                    <Table.Td ta="end" style={{ verticalAlign: 'top' }}>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('Edit {{name}}', { name: labelOf(t, row) })}
                        onClick={() => setEdited(row)}
                      >
                        {t('Edit')}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </QueryState>
      </SettingsSection>
      <Dialog opened={edited !== null} onClose={() => setEdited(null)} title={edited ? labelOf(t, edited) : ''}>
        {edited ? <ValueForm key={edited.name} row={edited} close={() => setEdited(null)} /> : null}
      </Dialog>
    </Page>
  )
}

const labelOf = (t: ReturnType<typeof useT>, { name }: OperatorDefault): string => t(settingField(name)?.label ?? name)

function ValueForm({ row, close }: { row: OperatorDefault; close: () => void }) {
  const t = useT()
  const [value, setValue] = useState<boolean | number | string>(row.value ?? row.product)
  const save = useSend(company.setDefault, {
    refreshes: [company.defaults],
    quiet: true,
    said: ({ companies }) => t('{{count}} companies changed', { count: companies }),
    done: close,
  })
  const send = async (next: boolean | number | string | null) => {
    const sure = await confirm({
      title: t('Change {{setting}} for all companies?', { setting: labelOf(t, row) }),
      body: t('{{count}} companies follow this value.', { count: row.following }),
      action: t('Change'),
    })
    if (sure) save.mutate({ body: { name: row.name, value: next } })
  }
  const error = save.error ? errorSentence(save.error) : undefined
  const choices = choicesOf(row.name)
  const field = { label: t('Value for all companies'), ...(error && { error }), 'data-autofocus': true } as const
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void send(value)
      }}
    >
      <Stack gap="md">
        {typeof value === 'boolean' ? (
          <Select
            {...field}
            data={[
              { value: 'true', label: t('On') },
              { value: 'false', label: t('Off') },
            ]}
            value={String(value)}
            onChange={next => setValue(next === 'true')}
          />
        ) : typeof row.product === 'number' ? (
          <WholeNumberInput {...field} min={0} value={value} onChange={setValue} />
        ) : choices ? (
          <Select
            {...field}
            data={Object.entries(choices).map(([one, words]) => ({ value: one, label: t(words) }))}
            value={value}
            onChange={next => setValue(next ?? value)}
          />
        ) : (
          <TextInput {...field} value={value} onChange={event => setValue(event.currentTarget.value)} />
        )}
        <Text size="sm" c="dimmed">
          {t('{{count}} companies follow this value.', { count: row.following, formatted: number(row.following) })}
        </Text>
        <Group justify="flex-end">
          {row.value === null ? null : (
            <Button variant="subtle" onClick={() => void send(null)}>
              {t('Use the standard value')}
            </Button>
          )}
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
