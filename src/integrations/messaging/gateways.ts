/** Every gateway by its name. */

import type { SmsProvider } from '#domain/sms-codes.ts'
import { gatewayApi } from './gatewayapi.ts'
import { inMobile } from './inmobile.ts'
import { logGateway } from './log-gateway.ts'
import type { SmsGateway } from './sms-gateway.ts'
import { twilio } from './twilio.ts'

export const gateways: Readonly<Record<SmsProvider, SmsGateway>> = { log: logGateway, gatewayapi: gatewayApi, twilio, inmobile: inMobile }
