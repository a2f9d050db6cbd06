/**
 * An unassigned public address, which no machine has; open-internet-route.ts routes it to this
 * machine.
 */
export const PUBLIC_ADDRESS = '3000::1'

/** A self-signed certificate for it; nothing else trusts or uses it. */
export const TLS = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBpTCCAUqgAwIBAgIUenfqeYBaepHT2YJF1jsr/8izeKkwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTAgFw0yNjExMjIwMzQ2MzBaGA8yMTI2
MTAyOTAzNDYzMFowGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABDLz6SBWIYUP9BKHuC99QSyQi1KmX5is3jvW+dR7xJ7j
A1PI4ZFxkAhXr3QgYA6+rmVumtek9JL8pFOt6ZZK1iqjcDBuMB0GA1UdDgQWBBQC
qgeWcv9csySj64GjcfK7XJrvzjAfBgNVHSMEGDAWgBQCqgeWcv9csySj64GjcfK7
XJrvzjAbBgNVHREEFDAShxAwAAAAAAAAAAAAAAAAAAABMA8GA1UdEwEB/wQFMAMB
Af8wCgYIKoZIzj0EAwIDSQAwRgIhALBQdi9bijiGxZeWAvSQq9lgpnVnkASnAwve
jbrioqZaAiEAkYPvuO1dfEvq53ZDHaNbXTDPg534GUt8ibqRn2kbhhs=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2Kgfi73BBC7gecmA
6RWk3YPmtp8LIC8EzUYLWP8/4EqhRANCAAQy8+kgViGFD/QSh7gvfUEskItSpl+Y
rN471vnUe8Se4wNTyOGRcZAIV690IGAOvq5lbprXpPSS/KRTremWStYq
-----END PRIVATE KEY-----`,
}
