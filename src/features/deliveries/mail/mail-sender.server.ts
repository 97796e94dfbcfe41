/** Sends a delivery of the outbox as a mail through the company's account. */
import type { ClaimedDelivery, DeliveryOutcome } from '#features/deliveries/outbox/outbox.commands.ts'
import type { MailType } from '#features/deliveries/outbox/public-events.rules.ts'
import type { DeliverySender } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { accountForSending, mailSecret, writeAnswer } from './mail.queries.ts'
import { domainOf, type Mail, type MailOutcome, sendOverSmtp } from './smtp.server.ts'

/** Writes the mail of a delivery; null when it is not needed any more. */
export type MailWriter = (delivery: ClaimedDelivery, services: Services) => Promise<Omit<Mail, 'message_id' | 'date'> | null>

export const sendMail =
  (writers: Readonly<Partial<Record<MailType, MailWriter>>>): DeliverySender =>
  async (delivery, services, signal) => {
    const { operator_id, company_id } = delivery
    const scope = { operator_id, company_id, companies: [company_id] }
    const { account, password } = await services.database.readOnly(scope, async db => ({
      account: await accountForSending(db, company_id),
      password: await readSecret(db, services.vault, { operator_id, company_id, name: mailSecret }),
    }))
    const write = Object.entries(writers).find(([type]) => type === delivery.kind)?.[1]
    const mail = await write?.(delivery, services)
    if (!account || !mail) return outcomeOf({ problem: 'not_needed', answer: '', status: null })
    if (account.user_name !== null && password === null) return outcomeOf({ problem: 'no_password', answer: '', status: null })
    const date = new Date(delivery.at)
    // The same in every attempt: a mail that arrived although the answer was lost is shown once.
    const message_id = `delivery.${operator_id}.${delivery.outbox_id}@${domainOf(account.from_address)}`
    const allowedNetworks = services.config.allowed_networks
    return outcomeOf(await sendOverSmtp(account, password, { ...mail, message_id, date }, { allowedNetworks, signal }))
  }

/** Problems of this one mail: sending it again would end the same. */
const final: readonly MailOutcome['problem'][] = ['not_needed', 'sender_refused', 'recipient_refused', 'message_refused']

const outcomeOf = ({ problem, answer, status }: MailOutcome): DeliveryOutcome => ({
  outcome: problem === null ? 'delivered' : final.includes(problem) ? 'refused' : 'failed',
  status,
  answer: writeAnswer(problem, answer),
})
