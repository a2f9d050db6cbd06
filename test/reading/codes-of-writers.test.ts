import { describe, expect, test } from '@jest/globals'
import { codesBelow, codesIn } from './find-codes.ts'

describe('what somebody writes about a code', () => {
  test.each([
    'My login code 0042 for the printer still works, after 11 years.',
    'Hello,\nmy OTP 551902 never worked on the shop page.',
    'Mein Code 551902 geht nicht.',
    'Mein Anmeldecode 551902 wird abgelehnt.',
    'Mon code 551902 ne marche pas.',
    'Mi código 551902 no funciona.',
    'O meu código 551902 não funciona.',
    'Il mio codice 551902 non funziona.',
    'Mijn code 551902 werkt niet.',
    'Min kod 551902 fungerar inte.',
    'Min kode 551902 virker ikke.',
    'Mój kod 551902 nie działa.',
    'Můj kód 551902 nefunguje.',
    'Мой код 551902 не работает.',
    'Мій код 551902 не працює.',
    'Codul meu 551902 nu merge.',
    'Şifre sıfırlama kodum 771204 çalışmıyor, iki kere denedim.',
    'Kode saya 551902 tidak bisa dipakai.',
    '我的验证码551902不能用。',
  ])('%s', (text) => {
    expect(codesBelow('Kestrel', text)).toEqual([])
  })

  test.each([
    ['My O2 code: 482913', '482913'],
    ['My O2 login code 482913 is valid for 10 minutes.', '482913'],
    ['You forgot my password? Enter the code 482913 to sign in.', '482913'],
    ['Doğrulama kodumuz 771204', '771204'],
    ['Your code is 482913.', '482913'],
  ])('but not %s', (text, code) => {
    expect(codesBelow('My O2', text)).toEqual([code])
  })
})

describe('a mail that announces what somebody wrote', () => {
  const text = 'The access code 4471 does not open the door.\nDoes anybody have the new PIN?'
  test.each([
    'New comment posted on "Spring reading list"',
    'Weblog comment on Why I went back to paper',
    'Assignment Solution Comment - Bank Queue',
    'Ines commented on your post',
    'Private message from bellringer',
    'Neuer Kommentar zu "Türcode"',
    'Nouveau commentaire sur votre article',
    'La incidencia "Puerta" tiene nuevos comentarios',
    'Novo comentário em "Porta"',
    'Nuovo commento al tuo articolo',
    'Nieuwe reactie op je bericht',
    'Nowy komentarz do wpisu',
    'Новый комментарий к записи',
    'Yeni yorum: Kapı',
    '新しいコメントがあります',
    '새 댓글이 등록되었습니다',
    '您有一条新评论',
    '[JIRA] (OPS-3318) Gate 7 reader rejects badges',
    'Re: [billing] text messages (#1207)',
  ])('has no code: %s', (subject) => {
    expect(codesBelow(subject, text)).toEqual([])
    expect(codesBelow('Kestrel', text)).not.toEqual([])
  })

  test.each([
    ['Confirm your comment', 'Enter the code 482913 to publish it.'],
    ['Bestätigen Sie Ihren Kommentar', 'Der Code ist 482913.'],
    ['New comment settings', 'Your code is 482913. It is valid for 10 minutes.'],
    ['Comment ça marche', 'Votre code : 482913'],
    ['[Kestrel] Your code (#1)', 'Your code is 482913. Do not share it with anyone.'],
  ])('but not %s', (subject, text) => {
    expect(codesBelow(subject, text)).toEqual(['482913'])
  })
})

describe('a word without a capital behind the word for a code', () => {
  const parcel = 'Hello Maria,\nyour parcel no. 20450988 has arrived at the station in Harbour Street 17.\n'
  test.each([
    'Code of the box: 0417',
    'Código del casillero: 0417',
    'Code du casier : 0417',
    'Kod skrytki: 0417',
    'Код ячейки: 0417',
    'Код комірки: 0417.',
    'Codice della cella: 0417',
    'Koden til skabet: 0417',
    'Kode loker: 0417',
    'Κωδικός θυρίδας: 0417',
    'Code van de kluis: 0417',
    'Koodi kaappiin: 0417',
  ])('says that it is another one: %s', (line) => {
    expect(codesIn(parcel + line)).toEqual([])
  })

  test('but not in a mail about signing in, or one that asks for the code', () => {
    expect(codesIn(`You signed in to Kestrel from another device.\n${parcel}Code of the box: 0417`)).toEqual([
      '0417',
    ])
    expect(codesIn(`${parcel}Enter this code. Code of the box: 0417`)).toEqual(['0417'])
    expect(codesIn('Voici le code à renseigner : 483545\n\nVotre code pour valider votre connexion')).toEqual(
      ['483545'],
    )
  })
})
