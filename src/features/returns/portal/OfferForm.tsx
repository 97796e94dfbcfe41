/** What customers may ask for in the return portal, and how they may send. */
import { Checkbox, Group, Stack } from '@mantine/core'
import { useRef } from 'react'
import { methodLabels, outcomeLabels } from '#features/returns/returns/return-policy.labels.ts'
import { portalMethods } from '#features/returns/returns/returns.codes.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { portalOutcomes } from './portal.codes.ts'
import { portal } from './portal.contract.ts'
import { PortalOffer } from './portal.schemas.ts'

export function OfferForm() {
  const offer = useCall(portal.offer, {}, { live: ['return_portal'] })
  return (
    <QueryState of={offer} shape="form">
      {one => <Fields key={one.version === 0 ? 'new' : 'set'} offer={one} />}
    </QueryState>
  )
}

function Fields({ offer: { version: seen, ...offer } }: { offer: PortalOffer }) {
  const t = useT()
  const version = useRef(seen)
  const edit = useEdit({
    schema: PortalOffer.omit({ version: true }),
    initial: offer,
    save: values => send(portal.setOffer, { body: { ...values, version: version.current } }),
    refreshes: [portal.offer],
    said: t('Offer saved'),
    done: saved => {
      version.current = saved.version
    },
    conflict: {
      schema: PortalOffer,
      values: ({ version: fresh, ...values }) => {
        version.current = fresh
        return values
      },
    },
  })
  return (
    <Form edit={edit}>
      <div>
        <SettingsSection title={t('Outcomes')} help={t('What customers may ask for. With one alone they are not asked.')}>
          <Checkbox.Group aria-label={t('Outcomes')} {...edit.of('outcomes')}>
            <Stack gap="xs">
              {portalOutcomes.map(value => (
                <Checkbox key={value} value={value} label={t(outcomeLabels[value])} />
              ))}
            </Stack>
          </Checkbox.Group>
        </SettingsSection>
        <SettingsSection title={t('Ways to send')} help={t('How customers get their items to you.')}>
          <Checkbox.Group aria-label={t('Ways to send')} {...edit.of('methods')}>
            <Group gap="lg">
              {portalMethods.map(value => (
                <Checkbox key={value} value={value} label={t(methodLabels[value])} />
              ))}
            </Group>
          </Checkbox.Group>
        </SettingsSection>
      </div>
    </Form>
  )
}
