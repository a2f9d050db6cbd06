import type { Language } from '../language.ts'

export const french: Language = {
  code: 'code, codes',
  password: 'mot de passe, mots de passe',
  key: 'clé, clef, jeton',
  verificationCode: `
    mot de passe à usage unique, mot de passe unique, mot de passe temporaire,
    mots de passe à usage unique, mot de passe provisoire, mot secret, phrase secrète, mot magique
  `,
  verify: `
    vérifi*, authentifi*, activation, activer, activez, validation, valider, validez,
    double authentification
  `,
  confirm: 'confirm*',
  signIn: 'connexion, connecter, se connecter, vous connecter, connectez*, connectes, identifier',
  reset: 'réinitialis*, nouveau mot de passe, mot de passe oublié',
  secret: `
    sécurit*, usage unique, identifi*, chiffres, temporaire, unique, récupération, secret, personnel,
    inscription
  `,
  access: 'accès, accéder',
  purpose: 'confirmez, confirmer votre, confirmer ton, confirme ton',
  otherwise: `
    postal, promo, promotion, promotionnel, réduction, barre, barres, à barres, source, erreur,
    avantage, parrainage, parrain, réservation, client, pays, cadeau, article, produit, suivi, retrait,
    couleur, remise, privilège, qr, vestimentaire, civil, pénal
  `,
  yours: 'votre, ton, le, ce, voici, mon, nouveau, suivant',
  is: 'est, comme, suivant, voici, ci-dessous, unique, est le, est celui-ci',
  enter: `
    saisir, saisissez, saisis, entrez, entrer, entre, utilisez, utilise, tapez, tape, indiquez,
    composez
  `,
  names: `
    commande, facture, client, compte, référence, réf, dossier, suivi, tél, téléphone, numéro, n°, no,
    carte, terminant par, depuis, billet, vol, siège, chambre, siret, rcs, cedex, bp, cs, colis,
    postal
  `,
  time: 'minute, minutes, min, heure, heures, jour, jours, seconde, secondes',
  unit: 'semaine, semaines, mois, ans, euro, euros, point, points, personnes, fois, clients',
  warns: `
    valable, expire, ne partagez, ne le partagez, ne communiquez, n'êtes pas à l'origine, pas demandé,
    ignorez, ne le communiquez
  `,
  offer: 'réduction, remise, parrainez',
  booking: 'vol, réservation*, séjour',
  meeting: 'réunion*',
  links: {
    confirm:
      "confirm(?!é|ation de (?:votre )?(?:commande|réservation|paiement))|vérifi(?!é)|activer|activez|activation|valider|validez|validation|finalis\\w+ (?:votre |l')?inscription",
    sign_in: 'connect(?:er|ez)|connexion|se connecter|connecte|identifi(?:er|ez)|lien magique',
    reset:
      'réinitialis|(?:nouveau|changer|changez|modifier|définir|définissez|créer|créez|choisir|choisissez|oublié) .{0,16}mot de passe|mot de passe oublié|récupér',
    invite: 'invitation|invité|(?:vous|te) invite|a invité',
    join: 'accept|rejoi',
    deny: "\\bsi .{0,60}\\b(?:pas|jamais)\\b|n'êtes pas|ce n'(?:est|était) pas vous",
    report:
      '(?:mot de passe|compte|adresse)\\b.{0,40}(?:a été|modifié|changé|mis à jour)|nouvelle connexion|connexion (?:inhabituelle|suspecte|détectée|depuis)|nouvel appareil',
    unsubscribe: 'désabonn|désinscri',
    legal:
      'mentions légales|confidentialité|(?:afficher|voir|consulter|lire|ouvrir) .{0,30}(?:navigateur|en ligne)|version en ligne',
  },
}
