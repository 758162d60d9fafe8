// SPDX-License-Identifier: Apache-2.0
// The sentences of the viewfinder and of the photo booth in English.

export const english = {
    finder: {
        shutter: "Take the photo",
        flip: "Other camera",
        both: "Both cameras in one photo",
        turning: "Now the other side: hold still …",
        flash: "Flash",
        other: "Use the phone’s own camera",
        starting: "The camera starts …",
        taken: "Photo taken.",
        denied: "This page may not use the camera. Allow it in your browser’s settings, or use the phone’s own camera.",
    },

    booth: {
        title: "Photo booth",
        intro: "No phone? Take a photo here: everyone gets it.",
        look: "Look at the camera!", sent: "Here you are. The photo is on its way to everyone.",
        photo: "The photo that was taken", closeTitle: "Close the photo booth?",
    },
};
