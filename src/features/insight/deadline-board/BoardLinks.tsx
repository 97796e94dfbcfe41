/** Links of boards that are shown without a sign-in: made, copied once, and revoked. */
import { Alert, Button, MultiSelect, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { dayOf, instantOf, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import type { linkKinds } from './deadline-board.codes.ts'
import { deadlineBoard } from './deadline-board.contract.ts'
import { type BoardLink, BoardLinkFields } from './deadline-board.schemas.ts'

const keyOf = (row: BoardLink) => row.id

export function BoardLinks({ making, make, close }: { making: boolean; make: () => void; close: () => void }) {
  const t = useT()
  const links = useCall(deadlineBoard.tokens, {})
  const all = useCall(deadlines.list, { limit: 50 }, { live: ['deadline'] })
  const revoke = useSend(deadlineBoard.revokeTokens, { refreshes: [deadlineBoard.tokens], said: t('Link revoked') })
  const names = new Map((all.data?.rows ?? []).map(row => [row.id, row.name]))
  const showsOf = ({ kind, scope }: BoardLink): string =>
    kind === 'stats'
      ? t('Public figures')
      : scope.deadline_ids.length === 0
        ? t('All deadlines')
        : scope.deadline_ids.map(id => names.get(id) ?? '–').join(', ')
  const ask = async (row: BoardLink) => {
    const sure = await confirm({
      title: t('Revoke {{name}}?', { name: row.name }),
      body: t('Screens with this link end within ten seconds.'),
      action: t('Revoke link'),
      danger: true,
    })
    if (sure) revoke.mutate({ id: row.id })
  }
  const columns: Column<BoardLink>[] = [
    { key: 'name', title: t('Name'), flex: 2, cell: row => row.name },
    { key: 'shows', title: t('Shows'), flex: 2, cell: row => <span title={showsOf(row)}>{showsOf(row)}</span> },
    { key: 'seen', title: t('Last seen'), cell: row => (row.last_seen_at === null ? '–' : <RelativeTime at={row.last_seen_at} />) },
    { key: 'until', title: t('Until'), cell: row => (row.expires_at === null ? t('Until revoked') : dayOf(row.expires_at)) },
    { key: 'by', title: t('Made by'), flex: 1, cell: row => row.created_by },
  ]
  return (
    <>
      <QueryState of={links} shape="rows">
        {found => (
          <DataTable
            name="board-links"
            label={t('Board links')}
            columns={columns}
            list={staticList(found.rows)}
            keyOf={keyOf}
            rowActions={row => [{ label: t('Revoke link'), danger: true, run: () => void ask(row) }]}
            empty={
              <EmptyList
                title={t('No board links yet')}
                action={
                  <Button variant="default" onClick={make}>
                    {t('Make link')}
                  </Button>
                }
              >
                {t('A link shows the board on a television, without a sign-in and without names.')}
              </EmptyList>
            }
            card={row => (
              <RowCard>
                <RowCardLine>
                  <span>{row.name}</span>
                  <span>{row.last_seen_at === null ? '–' : <RelativeTime at={row.last_seen_at} />}</span>
                </RowCardLine>
                <Text size="sm" c="dimmed">
                  {showsOf(row)}
                </Text>
              </RowCard>
            )}
          />
        )}
      </QueryState>
      <Drawer opened={making} onClose={close} title={t('New board link')}>
        {making ? (
          <LinkForm options={(all.data?.rows ?? []).map(row => ({ value: String(row.id), label: row.name }))} close={close} />
        ) : null}
      </Drawer>
    </>
  )
}

interface Values extends Record<string, unknown> {
  kind: (typeof linkKinds)[number]
  name: string
  deadline_ids: string[]
  figures: boolean
  until: string
}

const bodyOf = ({ kind, name, deadline_ids, figures, until }: Values) => ({
  ...{ kind, name },
  scope: kind === 'stats' ? { deadline_ids: [], figures: true } : { deadline_ids: deadline_ids.map(Number), figures },
  expires_at: until === '' ? null : instantOf(`${until}T23:59`),
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(BoardLinkFields)

function LinkForm({ options, close }: { options: readonly { value: string; label: string }[]; close: () => void }) {
  const t = useT()
  const { user } = useSignedIn()
  const [client_id] = useState(() => crypto.randomUUID())
  const [made, setMade] = useState<string | null>(null)
  const initial: Values = { kind: 'deadlines', name: '', deadline_ids: [], figures: true, until: '' }
  const edit = useEdit({
    schema: Schema,
    initial,
    save: values => send(deadlineBoard.makeToken, { body: { ...bodyOf(values), client_id } }),
    refreshes: [deadlineBoard.tokens],
    said: t('Link made'),
    done: answer => setMade(answer.url === null ? '' : `${window.location.origin}${answer.url}`),
  })
  if (made !== null)
    return (
      <Stack gap="md">
        {made === '' ? (
          <Alert color="amber">{t('The link was made before and is not shown again. Revoke it and make a new one.')}</Alert>
        ) : (
          <>
            <Text>{t('Open this link on the screen. It is shown only now.')}</Text>
            <Copied text={made} label={t('Copy link')} block />
          </>
        )}
        <Button onClick={close}>{t('Done')}</Button>
      </Stack>
    )
  return (
    <Form edit={edit} action={t('Make link')} cancel={close}>
      <NativeSelect
        label={t('Shows')}
        description={
          edit.values.kind === 'stats'
            ? t('Orders, parcels, share on time, couriers. Anyone with the link sees them.')
            : t('What is left of each pickup. For a television.')
        }
        data={[
          { value: 'deadlines', label: t('Deadlines') },
          { value: 'stats', label: t('Public figures') },
        ]}
        {...edit.of('kind')}
      />
      <TextInput label={t('Name')} description={t('The board shows it: for example the hall.')} data-autofocus {...edit.of('name')} />
      {edit.values.kind === 'deadlines' ? (
        <MultiSelect
          label={t('Deadlines')}
          description={t('Empty: all deadlines.')}
          data={[...options]}
          searchable
          clearable
          maxValues={20}
          {...edit.of('deadline_ids')}
        />
      ) : null}
      {edit.values.kind === 'deadlines' && user.is_main_company ? (
        <Switch
          label={t('Figures of the warehouse')}
          description={t('Waiting, packed in the last hour, exceptions, and how many people work.')}
          {...edit.of('figures', 'checkbox')}
        />
      ) : null}
      <TextInput label={t('Until')} description={t('Empty: until it is revoked.')} type="date" min={today()} {...edit.of('until')} />
    </Form>
  )
}
