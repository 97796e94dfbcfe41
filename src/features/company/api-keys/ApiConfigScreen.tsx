/** API keys: keys of shop programs, web hook secrets, and keys of external services. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { addressOf, Copied } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { cmsKeys } from './cms-keys.contract.ts'
import { rightsOf } from './cms-keys.labels.ts'
import type { CmsKey } from './cms-keys.schemas.ts'
import { GoogleMapsKey } from './GoogleMapsKey.tsx'
import { ChangeKey, NewKey, ReplaceKey } from './KeyForms.tsx'
import { PrintNodeKey } from './PrintNodeKey.tsx'
import { Hooks } from './WebHooks.tsx'

export function ApiConfigScreen() {
  const t = useT()
  return (
    <Page title={t('API keys')}>
      <Keys />
      <Hooks />
      <PrintNodeKey />
      <GoogleMapsKey />
    </Page>
  )
}

function Keys() {
  const t = useT()
  const keys = useCall(cmsKeys.list, {})
  const [shown, setShown] = useState<{ key: string; row: CmsKey } | null>(null)
  const [making, setMaking] = useState(false)
  const [changing, setChanging] = useState<CmsKey | null>(null)
  const [replacing, setReplacing] = useState<CmsKey | null>(null)
  const remove = useSend(cmsKeys.remove, { refreshes: [cmsKeys.list], said: t('The key is removed: it opens nothing any more') })
  const askToRemove = async (row: CmsKey) => {
    const body = t('What is sent with {{name}} ({{prefix}}…) is refused from now on.', { name: row.name, prefix: row.prefix })
    if (await confirm({ title: t('Remove this key?'), body, action: t('Remove key'), danger: true })) remove.mutate({ id: row.id })
  }
  const columns = useMemo<Column<CmsKey>[]>(
    () => [
      { key: 'name', title: t('Name'), flex: 2, cell: row => <span title={`${row.name} ${row.prefix}…`}>{row.name}</span> },
      {
        key: 'prefix',
        title: t('API key'),
        hidden: true,
        cell: row => <code style={{ font: 'var(--t-mono)' }}>{row.prefix}…</code>,
      },
      { key: 'shop', title: t('For'), cell: row => <KeyUse row={row} /> },
      { key: 'state', title: t('Status'), cell: row => <KeyState row={row} /> },
      { key: 'expires_at', title: t('Good until'), cell: row => <RelativeTime at={row.expires_at} as="day" /> },
      { key: 'last_used_at', title: t('Last used'), cell: row => <LastUse row={row} /> },
    ],
    [t],
  )
  return (
    <SettingsSection
      title={t('CMS keys')}
      help={t(
        'With a key a shop’s own program sends orders and products. Make one for each program, so that each can be taken back alone.',
      )}
    >
      <QueryState of={keys} shape="rows">
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{t('There is no key yet.')}</Text>
          ) : (
            <DataTable
              name="cms-keys"
              label={t('CMS keys')}
              columns={columns}
              list={staticList(rows)}
              keyOf={keyOf}
              rowActions={row => [
                { label: t('Change'), run: () => setChanging(row) },
                ...(row.replaced ? [] : [{ label: t('Replace key'), run: () => setReplacing(row) }]),
                { label: t('Remove'), danger: true, run: () => void askToRemove(row) },
              ]}
              card={row => (
                <RowCard>
                  <RowCardLine>
                    <span>{row.name}</span>
                    <KeyState row={row} />
                  </RowCardLine>
                  <RowCardLine>
                    <Text size="sm" c="dimmed" ff="monospace">
                      {row.prefix}…
                    </Text>
                    <LastUse row={row} />
                  </RowCardLine>
                </RowCard>
              )}
            />
          )
        }
      </QueryState>
      <Group>
        <Button onClick={() => setMaking(true)}>{t('Create key')}</Button>
      </Group>
      <Dialog opened={making} onClose={() => setMaking(false)} title={t('Create key')} size="lg">
        <NewKey
          done={made => {
            setMaking(false)
            setShown(made)
          }}
        />
      </Dialog>
      <Dialog opened={changing !== null} onClose={() => setChanging(null)} title={t('Change key')}>
        {changing ? <ChangeKey row={changing} done={() => setChanging(null)} /> : null}
      </Dialog>
      <Dialog opened={replacing !== null} onClose={() => setReplacing(null)} title={t('Replace key')}>
        {replacing ? (
          <ReplaceKey
            row={replacing}
            done={made => {
              setReplacing(null)
              setShown(made)
            }}
          />
        ) : null}
      </Dialog>
      <Dialog opened={shown !== null} onClose={() => setShown(null)} title={t('Copy the key now')} size="lg" closeOnClickOutside={false}>
        {shown ? <KeyOnce secret={shown.key} row={shown.row} close={() => setShown(null)} /> : null}
      </Dialog>
    </SettingsSection>
  )
}

const keyOf = (row: CmsKey) => row.id

function LastUse({ row }: { row: CmsKey }) {
  const t = useT()
  if (!row.last_used_at) return <Text c="dimmed">{t('Never')}</Text>
  return (
    <span title={row.last_used_ip ?? undefined}>
      <RelativeTime at={row.last_used_at} />
    </span>
  )
}

/** Which shop's program has it, or what another program may do with it. */
function KeyUse({ row }: { row: CmsKey }) {
  const t = useT()
  if (row.purpose === 'print_agent') return t('Print agent')
  if (row.purpose === 'shop') return row.shop
  const rights = rightsOf(row.scopes, t).join(', ')
  return <span title={rights}>{row.read_only ? t('Reads: {{rights}}', { rights }) : rights}</span>
}

function KeyState({ row }: { row: CmsKey }) {
  const t = useT()
  if (row.status !== 'expired' && row.replaced) return <StateBadge tone="soon">{t('Replaced')}</StateBadge>
  if (row.status === 'expired') return <StateBadge tone="stop">{t('Expired')}</StateBadge>
  if (row.status === 'unused') return <StateBadge tone="quiet">{t('Not used yet')}</StateBadge>
  return <StateBadge tone="done">{t('In use')}</StateBadge>
}

function KeyOnce({ secret, row, close }: { secret: string; row: CmsKey; close: () => void }) {
  const t = useT()
  const order = `{"order_no":"1001","currency":"DKK","ship_to":{"name":"Lene Prøve","address1":"Prøvevej 5","postcode":"5000","city":"Odense C","country":"DK"},"lines":[{"sku":"TS-1","name":"T-shirt","qty":"1"}]}`
  const example = `curl -X POST ${addressOf('cms/orders')} \\\n  -H 'Authorization: ${secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${order}'`
  return (
    <Stack>
      <Text>
        {t('This is the key of {{name}}. It is shown only here and now; afterwards no one can read it again.', { name: row.name })}
      </Text>
      <Copied text={secret} label={t('Copy key')} />
      {row.purpose === 'shop' ? (
        <>
          <Text fw={500}>{t('An order sent with it')}</Text>
          <Copied text={example} label={t('Copy example')} block />
        </>
      ) : null}
      <Group>
        <Button onClick={close}>{t('I have copied the key')}</Button>
        <Anchor href="/docs" target="_blank" rel="noreferrer" size="sm">
          {t('All calls and fields')}
        </Anchor>
      </Group>
    </Stack>
  )
}
