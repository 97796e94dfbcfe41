/** One claim: its state, the evidence that there is, and what comes next. */

import { Button, Group, List, NumberInput, Stack, Text, Title } from '@mantine/core'
import { IconArrowRight, IconCheck, IconDownload, IconMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { ClaimBadge, ClaimDeadline, claimKindWord } from '#features/shipping/claims/claim.labels.tsx'
import { claims } from '#features/shipping/claims/claims.contract.ts'
import { statesAfter } from '#features/shipping/claims/claims.rules.ts'
import type { Claim } from '#features/shipping/claims/claims.schemas.ts'
import { OrderLink } from '#features/shipping/labels/OrderLink.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day, money, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { claimKits } from './claim-kits.contract.ts'
import type { ClaimEvidence } from './claim-kits.schemas.ts'

const refreshes = [claims.list, claims.get, claims.count]

export function ClaimDetails({ claim, changed }: { claim: Claim; changed: () => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const [editing, setEditing] = useState(false)
  const courier = init.ParcelAgentCode.find(agent => agent.agent_code === claim.agent_code)?.name ?? claim.agent_code
  if (editing)
    return (
      <ClaimForm
        shipment_id={claim.shipment_id}
        claim={claim}
        cancel={() => setEditing(false)}
        done={() => {
          setEditing(false)
          changed()
        }}
      />
    )
  return (
    <Stack gap="md">
      <Group gap="sm">
        <ClaimBadge state={claim.state} />
        {claim.state === 'open' && claim.deadline_on !== null ? <ClaimDeadline of={claim} /> : null}
      </Group>
      <DescriptionList>
        <DescriptionItem name={t('Tracking number')}>
          <Link to="/parcels/shipments" search={{ id: claim.shipment_id }}>
            {claim.tracking_no ?? t('No number yet')}
          </Link>
        </DescriptionItem>
        <DescriptionItem name={t('Order')}>
          <OrderLink shipment={claim} />
        </DescriptionItem>
        <DescriptionItem name={t('Courier')}>{t(courier)}</DescriptionItem>
        <DescriptionItem name={t('Kind')}>{claimKindWord(claim.kind)}</DescriptionItem>
        <DescriptionItem name={t('Amount')}>{money(claim.amount, claim.currency)}</DescriptionItem>
        {claim.granted === null ? null : <DescriptionItem name={t('Paid')}>{money(claim.granted, claim.currency)}</DescriptionItem>}
        <DescriptionItem name={t('Noticed')}>{day(claim.noticed_on)}</DescriptionItem>
        <DescriptionItem name={t('Send by')}>{claim.deadline_on === null ? t('Not known') : day(claim.deadline_on)}</DescriptionItem>
        {claim.reference ? <DescriptionItem name={t('Case number')}>{claim.reference}</DescriptionItem> : null}
        {claim.sent_at ? (
          <DescriptionItem name={t('Sent')}>
            <RelativeTime at={claim.sent_at} />
          </DescriptionItem>
        ) : null}
        <DescriptionItem name={t('Created by')}>
          {claim.created_by} · <RelativeTime at={claim.created_at} />
        </DescriptionItem>
      </DescriptionList>
      {claim.note ? <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{claim.note}</Text> : null}
      <Evidence claim={claim} />
      <States claim={claim} changed={changed} edit={() => setEditing(true)} />
    </Stack>
  )
}

function Evidence({ claim }: { claim: Claim }) {
  const t = useT()
  const evidence = useCall(claimKits.evidence, { id: claim.id }, { live: ['claim', 'shipment', 'photo', 'video'] })
  const build = useCommand(() => send(claimKits.download, { id: claim.id }), { done: saveFile })
  return (
    <section aria-label={t('Evidence')}>
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={3} size="h5">
          {t('Evidence')}
        </Title>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={build.isPending}
          onClick={() => build.mutate(undefined)}
        >
          {t('Download claim kit')}
        </Button>
      </Group>
      <QueryState of={evidence} shape="rows">
        {found => <EvidenceList found={found} />}
      </QueryState>
    </section>
  )
}

function EvidenceList({ found }: { found: ClaimEvidence }) {
  const t = useT()
  const rows = [
    { there: found.label, words: found.label ? t('Label') : t('No label') },
    {
      there: found.papers > 0,
      words: found.papers > 0 ? t('Other documents: {{count}}', { count: found.papers }) : t('No other documents'),
    },
    {
      there: found.measured_g !== null,
      words:
        found.measured_g === null ? t('Not weighed at packing') : t('Weighed at packing: {{weight}}', { weight: weight(found.measured_g) }),
    },
    {
      there: found.photos > 0,
      words: found.photos > 0 ? t('Photos of the open box: {{count}}', { count: found.photos }) : t('No photo of the open box'),
    },
    { there: found.clips > 0, words: found.clips > 0 ? t('Packing videos: {{count}}', { count: found.clips }) : t('No packing video') },
    { there: found.events > 0, words: t('Events in the timeline: {{count}}', { count: found.events }) },
  ]
  return (
    <List size="sm" spacing={4} center>
      {rows.map(({ there, words }) => (
        <List.Item key={words} icon={there ? <IconCheck size={16} aria-hidden /> : <IconMinus size={16} aria-hidden />}>
          {words}
        </List.Item>
      ))}
    </List>
  )
}

function States({ claim, changed, edit }: { claim: Claim; changed: () => void; edit: () => void }) {
  const t = useT()
  const [granted, setGranted] = useState<number | ''>('')
  const decimals = isCurrency(claim.currency) ? decimalsOf(claim.currency) : 2
  const setState = useSend(claims.setState, { refreshes, said: t('Status changed'), done: changed })
  const to = (state: 'sent' | 'won' | 'lost') =>
    setState.mutate({
      id: claim.id,
      state,
      body: {
        version: claim.version,
        ...(state === 'won' && granted !== '' && { granted: Math.round(granted * 10 ** decimals) }),
      },
    })
  const after = statesAfter(claim.state)
  return (
    <Group gap="xs" align="end">
      {after.includes('won') ? (
        <NumberInput
          label={t('Amount paid ({{currency}})', { currency: claim.currency })}
          min={0}
          allowNegative={false}
          hideControls
          decimalScale={decimals}
          value={granted}
          onChange={value => setGranted(typeof value === 'number' ? value : '')}
        />
      ) : null}
      {after.includes('won') ? (
        <Button
          loading={setState.isPending}
          {...disabledBecause((granted === '' || granted <= 0) && t('Enter the amount first'))}
          onClick={() => to('won')}
        >
          {t('Mark as paid')}
        </Button>
      ) : null}
      {after.includes('lost') ? (
        <Button variant="default" loading={setState.isPending} onClick={() => to('lost')}>
          {t('Mark as rejected')}
        </Button>
      ) : null}
      {after.includes('sent') ? (
        <Button loading={setState.isPending} onClick={() => to('sent')} rightSection={<IconArrowRight size={16} />}>
          {claim.state === 'lost' ? t('Send again') : t('Mark as sent')}
        </Button>
      ) : null}
      {claim.state === 'won' ? null : (
        <Button variant="default" onClick={edit}>
          {t('Edit claim')}
        </Button>
      )}
    </Group>
  )
}
