/** The forms of a customer: a new one with what it is recognized by, and the name, language and flags of a known one. */
import { Button, Checkbox, Group, NativeSelect, type NativeSelectProps, Stack, Text, Textarea, TextInput } from '@mantine/core'
import * as z from 'zod'
import { limits, locales } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { type CustomerFlag, customerFlags } from '#features/customers/customers/customers.codes.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { flagWord } from '#features/customers/customers/customers.labels.tsx'
import type { Customer } from '#features/customers/customers/customers.schemas.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'

const refreshes = [customers.search, customers.get, customers.ofOrder]

const NewValues = z.object({
  name: z.string().trim().min(1, 'Enter a name'),
  email: z
    .string()
    .refine(written => written.trim() === '' || /^\S+@\S+\.\S+$/.test(written.trim()), 'Enter an e-mail address, such as name@example.com'),
  phone: z
    .string()
    .refine(written => written.trim() === '' || written.replace(/\D/g, '').length >= 6, 'Enter a phone number with its country code'),
  locale: z.string(),
  note: z.string().max(limits.note),
})

const Taken = z.object({ customer_id: z.number(), name: z.string() })

export function NewCustomerForm({
  cancel,
  done,
  open,
}: {
  cancel: () => void
  done: (customer: Customer) => void
  open: (id: number) => void
}) {
  const t = useT()
  const edit = useEdit({
    schema: NewValues.refine(values => values.email.trim() !== '' || values.phone.trim() !== '', {
      path: ['email'],
      message: 'Enter an e-mail address or a phone number',
    }),
    initial: { name: '', email: '', phone: '', locale: '', note: '' },
    save: values =>
      send(customers.create, {
        body: {
          name: values.name,
          locale: isOneOf(locales, values.locale) ? values.locale : null,
          lookups: [
            ...(values.email.trim() === '' ? [] : [{ check_type: 'email' as const, check_value: values.email }]),
            ...(values.phone.trim() === '' ? [] : [{ check_type: 'phone' as const, check_value: values.phone }]),
          ],
          note: values.note,
        },
      }),
    refreshes,
    said: t('Customer created'),
    done,
  })
  const taken = Taken.safeParse(edit.error?.current)
  return (
    <Form edit={edit} action={t('Create customer')} cancel={cancel}>
      <Stack>
        <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
        <TextInput label={t('E-mail')} type="email" inputMode="email" autoComplete="off" {...edit.of('email')} />
        <TextInput
          label={t('Phone')}
          description={t('With its country code where it is not a number of your own country')}
          type="tel"
          autoComplete="off"
          {...edit.of('phone')}
        />
        <LocaleChoice {...edit.of('locale')} />
        <Textarea label={t('Note (optional)')} autosize minRows={2} maxRows={8} {...edit.of('note')} />
        {taken.success ? (
          <Group gap="xs">
            <Text size="sm">{t('This customer exists already: {{name}}', { name: taken.data.name })}</Text>
            <Button size="compact-sm" variant="default" onClick={() => open(taken.data.customer_id)}>
              {t('Open customer')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Form>
  )
}

function LocaleChoice(props: Omit<NativeSelectProps, 'label' | 'data'>) {
  const t = useT()
  const offered = useSignedIn().init.settings.languages
  return (
    <NativeSelect
      label={t('Language')}
      data={[{ value: '', label: t('As on the order') }, ...offered.map(locale => ({ value: locale, label: localeNames[locale] }))]}
      {...props}
    />
  )
}

const Known = z.object({
  name: z.string().trim().min(1, 'Enter a name'),
  locale: z.string(),
  flags: z.array(z.enum(customerFlags)),
})

/** What the caller's own company flags; the flags of others stand on the page. */
export function CustomerForm({ customer, cancel, done }: { customer: Customer; cancel: () => void; done: () => void }) {
  const t = useT()
  const { user } = useSignedIn()
  const ownFlags = (one: Pick<Customer, 'flags'>): CustomerFlag[] =>
    one.flags.filter(flag => flag.company_id === user.company_id).map(flag => flag.flag)
  const valuesOf = (one: Pick<Customer, 'name' | 'locale' | 'flags'>) => ({
    name: one.name,
    locale: one.locale ?? '',
    flags: ownFlags(one),
  })
  const edit = useEdit({
    schema: Known,
    initial: valuesOf(customer),
    save: values =>
      send(customers.update, {
        id: customer.customer_id,
        body: {
          version: customer.version,
          ...(values.name === customer.name ? {} : { name: values.name }),
          locale: isOneOf(locales, values.locale) ? values.locale : null,
          flags: values.flags,
        },
      }),
    refreshes,
    said: t('Customer saved'),
    done,
  })
  const help: Record<CustomerFlag, string> = {
    no_sms: t('Automatic text messages are not sent.'),
    no_email: t('Automatic e-mails are not sent.'),
    signature: t('Shown on orders and parcels.'),
    known_problem: t('Shown on orders and parcels, and in the view Known problems.'),
  }
  return (
    <Form edit={edit} cancel={cancel}>
      <Stack>
        <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
        <LocaleChoice {...edit.of('locale')} />
        <Checkbox.Group label={t('Flags')} {...edit.of('flags')}>
          <Stack gap="xs" mt="xs">
            {customerFlags.map(flag => (
              <Checkbox key={flag} value={flag} label={flagWord(flag)} description={help[flag]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Stack>
    </Form>
  )
}
