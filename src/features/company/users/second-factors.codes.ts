/** Codes of second factors. */

/** Whom a company asks for a second factor. */
export const secondFactorPolicies = ['off', 'admins', 'everyone'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/** How a device reaches a passkey, as WebAuthn names it. */
export const passkeyTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export type PasskeyTransport = (typeof passkeyTransports)[number]

export const mostPasskeys = 10
export const recoveryCodeCount = 10
