/** The form of one address in the address book. */
import { Button, Group, Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { countryCodes } from '#domain/countries.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { compare, country } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { PhoneInput } from '#ui/kit/PhoneInput.tsx'
import { PostcodeInput } from '#ui/kit/PostcodeInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import type { AddressKind } from './address-book.codes.ts'
import { addressBook } from './address-book.contract.ts'
import { AddressFields, PredefinedAddress } from './address-book.schemas.ts'

interface Values extends Record<string, unknown> {
  kind: AddressKind
  title: string
  name: string
  company: string
  attention: string
  address1: string
  address2: string
  postcode: string
  city: string
  country: string
  phone: string
  email: string
  instruction: string
  is_default: boolean
}
const valuesOf = (address: PredefinedAddress | null, kind: AddressKind, home: string): Values => ({
  kind: address?.kind ?? kind,
  title: address?.title ?? '',
  name: address?.name ?? '',
  company: address?.company ?? '',
  attention: address?.attention ?? '',
  address1: address?.address1 ?? '',
  address2: address?.address2 ?? '',
  postcode: address?.postcode ?? '',
  city: address?.city ?? '',
  country: address?.country ?? home,
  phone: address?.phone ?? '',
  email: address?.email ?? '',
  instruction: address?.instruction ?? '',
  is_default: address?.is_default ?? false,
})

interface FormProps {
  address: PredefinedAddress | null
  /** What a new address is. */
  kind: AddressKind
  close: () => void
  saved: () => void
  remove: (address: PredefinedAddress) => void
}

export function AddressBookForm({ address, kind, close, saved, remove }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const home = init.settings.home_country
  const version = useRef(address?.version ?? 0)
  const [client_id] = useState(() => crypto.randomUUID())
  const countries = useMemo(
    () => countryCodes.map(code => ({ value: code, label: country(code) })).sort((one, other) => compare(one.label, other.label)),
    [],
  )
  const edit = useEdit({
    schema: AddressFields,
    initial: valuesOf(address, kind, home),
    save: (values: Values) =>
      address
        ? send(addressBook.update, { id: address.id, body: { ...values, version: version.current } })
        : send(addressBook.create, { body: { ...values, client_id } }),
    refreshes: [addressBook.list],
    said: t('Address saved'),
    ...(address && {
      undo: (answer: PredefinedAddress, before: Values) =>
        send(addressBook.update, { id: address.id, body: { ...before, version: answer.version } }),
    }),
    done: saved,
    conflict: {
      schema: PredefinedAddress,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, kind, home)
      },
    },
  })
  const { values, form } = edit
  return (
    <Form edit={edit} cancel={close}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={t('Title')} withAsterisk data-autofocus {...edit.of('title')} />
        <NativeChoice
          label={t('Used as')}
          data={[
            { value: 'recipient', label: t('Recipient') },
            { value: 'sender', label: t('Sender') },
          ]}
          value={values.kind}
          choose={chosen => form.setFieldValue('kind', chosen)}
        />
      </SimpleGrid>
      <TextInput label={t('Name')} withAsterisk {...edit.of('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={t('Company')} {...edit.of('company')} />
        <TextInput label={t('Attention')} {...edit.of('attention')} />
      </SimpleGrid>
      <TextInput label={t('Street and number')} withAsterisk {...edit.of('address1')} />
      <TextInput label={t('Address, second line')} {...edit.of('address2')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PostcodeInput label={t('Postcode')} country={values.country} withAsterisk {...edit.of('postcode')} />
        <TextInput label={t('City')} withAsterisk {...edit.of('city')} />
      </SimpleGrid>
      <Select label={t('Country')} data={countries} searchable withAsterisk maxDropdownHeight={280} {...edit.of('country')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PhoneInput label={t('Phone')} country={values.country} {...edit.of('phone')} />
        <TextInput label={t('E-mail')} type="email" {...edit.of('email')} />
      </SimpleGrid>
      {values.kind === 'recipient' ? <TextInput label={t('Note to the driver')} {...edit.of('instruction')} /> : null}
      <Switch
        label={t('New shipments start with it')}
        description={values.kind === 'sender' ? t('Unless this device used another one last.') : undefined}
        {...edit.of('is_default', 'checkbox')}
      />
      {address ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(address)}>
            {t('Remove address')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}
