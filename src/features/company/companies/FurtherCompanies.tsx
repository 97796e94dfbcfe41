/** The companies of the warehouse, and a form to add one, for the main company's admin. */
import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { company } from './companies.contract.ts'
import { NewCompany } from './companies.schemas.ts'
import style from './FurtherCompanies.module.css'

/** The same page at another company: only the first label of the host differs. */
const addressOf = (code: string): string => `${location.protocol}//${[code, ...location.host.split('.').slice(1)].join('.')}/`

interface Made {
  code: string
  login: string
  password: string | null
}

export function FurtherCompanies() {
  const t = useT()
  const companies = useCall(company.companies, {}, { live: ['company'] })
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <SettingsSection
      title={t('Companies')}
      help={t('The shops that this warehouse packs for. Each signs in at its own address and sees its own orders.')}
    >
      <QueryState of={companies} shape="rows">
        {rows => (
          <Stack gap={0} className={style.companies}>
            {rows.map(row => (
              <Group key={row.id} justify="space-between" align="start" gap="xs" py="xs">
                <div>
                  <Group gap="xs">
                    <Link to="/settings/global-config/company" search={{ id: row.id }}>
                      {row.name}
                    </Link>
                    {row.is_main ? (
                      <StateBadge tone="plain">{t('Main company')}</StateBadge>
                    ) : row.erased_at ? (
                      <StateBadge tone="quiet">{t('Erased')}</StateBadge>
                    ) : row.closed_at ? (
                      <StateBadge tone="soon">{t('Closed')}</StateBadge>
                    ) : null}
                  </Group>
                  <Anchor size="sm" href={addressOf(row.code)}>
                    {row.code}
                  </Anchor>
                </div>
                <div className={style.figures}>
                  <div>{t('{{count}} orders in 30 days', { count: row.recent_orders, formatted: number(row.recent_orders) })}</div>
                  <div>{t('{{count}} users', { count: row.users, formatted: number(row.users) })}</div>
                </div>
              </Group>
            ))}
          </Stack>
        )}
      </QueryState>
      {made ? (
        <Alert
          color="moss"
          title={t('The company {{code}} is there', { code: made.code })}
          withCloseButton
          closeButtonLabel={t('Close')}
          onClose={() => setMade(null)}
        >
          <Stack gap={4}>
            <Text size="sm">
              {t('It signs in at this address:')} <Anchor href={addressOf(made.code)}>{addressOf(made.code)}</Anchor>
            </Text>
            {made.password ? (
              <Group gap={8}>
                <Text size="sm">{t('{{login}} with this password, shown only now:', { login: made.login })}</Text>
                <Text ff="monospace">{made.password}</Text>
                <CopyButton text={made.password} label={t('Copy password')} />
              </Group>
            ) : null}
          </Stack>
        </Alert>
      ) : null}
      <Group>
        <Button variant="default" onClick={() => setAdding(true)}>
          {t('Add company')}
        </Button>
      </Group>
      <Dialog opened={adding} onClose={() => setAdding(false)} title={t('Add company')}>
        <NewCompanyForm
          close={() => setAdding(false)}
          made={one => {
            setMade(one)
            setAdding(false)
          }}
        />
      </Dialog>
    </SettingsSection>
  )
}

function NewCompanyForm({ close, made }: { close: () => void; made: (one: Made) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: NewCompany,
    initial: { code: '', name: '', admin: { name: '', user_name: '' } },
    save: body => send(company.createCompany, { body }),
    refreshes: [company.companies],
    done: (answer, values) => made({ code: answer.code, password: answer.password, login: values.admin.user_name }),
  })
  return (
    <Form edit={edit} action={t('Add company')} cancel={close} unguarded>
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <TextInput
        label={t('Code')}
        description={t('The first part of its address: {{example}}', { example: addressOf(edit.values.code || 'code') })}
        autoCapitalize="none"
        spellCheck={false}
        {...edit.of('code')}
        onChange={event => edit.form.setFieldValue('code', event.currentTarget.value.toLowerCase().trim())}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={t('Its first administrator')} {...edit.form.getInputProps('admin.name')} />
        <TextInput label={t('User name')} autoCapitalize="none" spellCheck={false} {...edit.form.getInputProps('admin.user_name')} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t('A password is made and shown once.')}
      </Text>
    </Form>
  )
}
