/** One tote: where it is, which order lies in it, and what can be done about it. */
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { access } from '#contract/access.ts'
import { PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { type CodeActions, useBind } from './code-actions.tsx'
import { paperless } from './paperless.contract.ts'
import { CodeBadge, placeWord } from './paperless.labels.tsx'
import type { MappedCode } from './paperless.schemas.ts'

export function CodeDrawer({
  digits,
  close,
  actions,
  print,
}: {
  digits: string
  close: () => void
  actions: CodeActions
  print: (digits: string) => void
}) {
  const code = useCall(paperless.one, { id: digits }, { enabled: digits !== '', live: ['paperless'] })
  return (
    <Drawer opened={digits !== ''} onClose={close} title={`PP${digits}`}>
      {digits === '' ? null : (
        <QueryState of={code}>{one => <CodeFacts key={one.digits} code={one} actions={actions} print={print} />}</QueryState>
      )}
    </Drawer>
  )
}

function CodeFacts({ code, actions, print }: { code: MappedCode; actions: CodeActions; print: (digits: string) => void }) {
  const t = useT()
  const mayAdmin = useIsAllowed(access.picksAdmin)
  const lost = code.state === 'lost'
  return (
    <Stack gap="md">
      <div>
        <CodeBadge state={code.state} />
      </div>
      {code.put_backs > 0 ? (
        <Alert color="amber" title={t('Items in it have to go back into their bins')}>
          <Link to="/lists/pick/tasks" search={{ tab: 'put_backs', query: code.code }}>
            {t('Show put-backs')}
          </Link>
        </Alert>
      ) : null}
      {lost && code.order ? (
        <Alert color="amber">
          {t('It was lost with order {{order_no}}. When it is found, it carries that order again.', { order_no: code.order.order_no })}
        </Alert>
      ) : null}
      <DescriptionList>
        {code.order ? (
          <>
            <DescriptionItem name={t('Order')}>
              <Link to="/parcels/orders" search={{ id: code.order.id }}>
                {code.order.order_no}
              </Link>
            </DescriptionItem>
            <DescriptionItem name={t('Order is')}>
              <PhaseBadge phase={code.order.phase} />
            </DescriptionItem>
            <DescriptionItem name={t('Company')}>{code.order.company}</DescriptionItem>
          </>
        ) : null}
        {code.pick_list_id !== null ? (
          <DescriptionItem name={t('Where')}>
            <Link to="/lists/pick" search={{ id: code.pick_list_id }}>
              {placeWord(code)}
            </Link>
          </DescriptionItem>
        ) : null}
        {code.station ? <DescriptionItem name={t('Station')}>{code.station}</DescriptionItem> : null}
        {code.since ? (
          <DescriptionItem name={t('Since')}>
            <RelativeTime at={code.since} as="instant" />
          </DescriptionItem>
        ) : null}
        <DescriptionItem name={t('Label')}>
          {code.printed_at ? <RelativeTime at={code.printed_at} as="day" /> : t('Not printed')}
        </DescriptionItem>
      </DescriptionList>
      {code.state === 'free' ? <Bind code={code} /> : null}
      <Group gap="xs">
        <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print(code.digits)}>
          {t('Print its label')}
        </Button>
        <Button variant="default" onClick={() => void actions.run(lost ? 'found' : 'lost', [code.digits])}>
          {lost ? t('Mark as found') : t('Mark as lost')}
        </Button>
        {mayAdmin && !lost && code.state !== 'free' ? (
          <Button variant="default" onClick={() => actions.askFree([code.digits])}>
            {t('Unassign')}
          </Button>
        ) : null}
      </Group>
    </Stack>
  )
}

function Bind({ code }: { code: MappedCode }) {
  const t = useT()
  const [order, setOrder] = useState('')
  const bind = useBind({ done: () => setOrder('') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (order.trim() !== '') bind.mutate({ id: code.digits, body: { order: order.trim() } })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t('Put an order into it')}
          description={t('Order number or order code')}
          value={order}
          onChange={event => setOrder(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={bind.isPending}
          {...disabledBecause(order.trim() === '' && t('Enter an order number first'))}
        >
          {t('Bind')}
        </Button>
      </Group>
    </form>
  )
}
